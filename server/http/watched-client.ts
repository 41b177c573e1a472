import type { IncomingMessage } from 'node:http'
import { clientOf, type SiteOptions, type Watched } from './client.ts'
import type { Vouch } from './connection-caps.ts'
import type { Holders } from './turns/holders.ts'

type Noting = {
  readonly holders: Holders
  /** The request shows a live session, or as a visitor a live proof. */
  readonly found: (holder: string, isVisitor: boolean) => void
}

/** Who asks, what is noted of them, and how they are vouched for: from then on the connection and the token are its holder's. */
export const watchedClient = (
  incoming: IncomingMessage,
  options: SiteOptions & { readonly vouch?: Vouch },
  { holders, found }: Noting,
) => ({
  ...clientOf(incoming, options),
  vouch: (holder: string, token?: string | null) => {
    if (token) holders.note(token, holder)
    found(holder, !token)
    options.vouch?.(incoming.socket, holder)
  },
  foundDead: (token: string) => holders.drop(token),
  watched: { who: null, challenged: false, kinds: [] } as Watched,
})
