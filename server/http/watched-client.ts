import type { IncomingMessage } from 'node:http'
import type { Sender } from '../../services/media/draft-room.ts'
import { clientOf, type SiteOptions, type Watched } from './client.ts'
import type { Vouch } from './connection-caps.ts'
import type { BodyTaken } from './room/body.ts'
import type { Holders } from './turns/holders.ts'

type Noting = {
  readonly holders: Holders
  /** What its body takes, once it is read. */
  readonly taken: () => Pick<BodyTaken, 'foundOf' | 'toDisk'>
}

/** Who asks, what is noted of them, and how they are vouched for: from then on the connection and the token are its holder's. */
export const watchedClient = (
  incoming: IncomingMessage,
  options: SiteOptions & { readonly vouch?: Vouch },
  { holders, taken }: Noting,
) => ({
  ...clientOf(incoming, options),
  vouch: (holder: string, token?: string | null) => {
    if (token) holders.note(token, holder)
    taken().foundOf(holder, !token)
    options.vouch?.(incoming.socket, holder)
  },
  toDisk: (bytes: number, sender: Sender) => taken().toDisk(bytes, sender),
  foundDead: (token: string) => holders.drop(token),
  watched: { who: null, cameSignedIn: false, challenged: false, call: null, kinds: [] } as Watched,
})
