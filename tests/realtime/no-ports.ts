import type { MemberId, SessionId } from '../../domain/shared/ids.ts'
import { START } from '../../domain/shared/recorded.ts'
import type { RealtimeDeps } from '../../realtime/deps.ts'
import type { Ports } from '../../usecases/ports.ts'

/** For realtime nodes whose members call no use case by socket: whatever one reaches for fails. */
export const noPorts = new Proxy({} as Ports, {
  get: (_ports, name) => {
    throw new Error(`This node has no ${String(name)}.`)
  },
  ownKeys: () => {
    throw new Error('This node has no ports.')
  },
})

/** Trusts a token of the form `<member>.<session>`. */
const identityOf = async (token: string) => {
  const [member, session] = token.split('.') as [MemberId, SessionId]
  return { member, session }
}

/** For nodes of drills and benches, which are about what is delivered: whoever comes is who they claim to be. */
/** The rooms of a read model that has not begun. */
export async function* noRooms() {
  yield { at: START, rooms: [] }
}

export const trusting: Pick<
  RealtimeDeps,
  'authenticate' | 'ports' | 'showsPresence' | 'sessionsThere' | 'logLine' | 'now'
> = {
  authenticate: {
    waitOf: async () => null,
    flooded: async () => undefined,
    cookie: async () => null,
    token: identityOf,
  },
  ports: noPorts,
  showsPresence: async () => true,
  sessionsThere: async (sessions) => sessions,
  logLine: (line) => console.warn(line),
  now: () => new Date(),
}
