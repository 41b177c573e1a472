import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memberDecider } from '../../domain/identity/member.ts'
import type { PairCommand } from '../../domain/pair/commands.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { type MemberId, type MessageId, pairIdOf, type SessionId } from '../../domain/shared/ids.ts'
import { type Position, START } from '../../domain/shared/recorded.ts'
import { idFrom } from '../../eventstore/ids.ts'
import type { RealtimeDeps } from '../../realtime/deps.ts'
import { createLogSource } from '../../realtime/log-source.ts'
import type { StoredRights } from '../../realtime/rights/loader.ts'
import { createRealtime } from '../../realtime/server.ts'
import { as, member, type Rig, startRig } from '../eventstore/rig.ts'
import { noPorts, noRooms } from './no-ports.ts'
import { Peer } from './peer.ts'

/** A read model that stands where a test puts it, with nobody in it but whom the test names. */
export const storedRights =
  ({
    position = START,
    ...rights
  }: Partial<Omit<StoredRights, 'relationsAt' | 'accountsAt'>> & { position?: Position } = {}) =>
  async (): Promise<StoredRights> => ({
    relationsAt: position,
    accountsAt: position,
    matched: [],
    blocked: [],
    out: [],
    ...rights,
  })
export const sessionOf = (name: string) => idFrom('test session', name) as SessionId

/** A log of its own, members who buzz and write, and as many realtime nodes as a test wants. */
export async function startWorld() {
  const rig = await startRig()
  const nodes: TestNode[] = []
  const peers: Peer[] = []
  const signedOut = new Set<string>()
  const identityOf = async (token: string) => {
    const [who, session] = token.split('.') as [MemberId, SessionId | undefined]
    return session && !signedOut.has(session) ? { member: who, session } : null
  }
  const authenticate: RealtimeDeps['authenticate'] = {
    waitOf: async () => null,
    flooded: async () => undefined,
    cookie: async (header) => identityOf(/session=([\w.]+)/.exec(header)?.[1] ?? ''),
    token: identityOf,
  }
  return {
    ...rig,
    signedOut,
    ...commands(rig),
    async node(overrides: Partial<RealtimeDeps> = {}) {
      const node = await startNode({ ...defaults(rig), authenticate, ...overrides })
      nodes.push(node)
      return node
    },
    /** A socket that is not signed in. */
    async socket(node: TestNode, headers: Record<string, string> = {}) {
      const peer = new Peer(node.port, { origin: node.origin, headers })
      peers.push(peer)
      await peer.opened
      return peer
    },
    /** A signed-in socket of a member. */
    async peer(node: TestNode, who: MemberId, { session = sessionOf(who), ...from }: PeerOptions = {}) {
      const peer = await this.socket(node)
      peer.send({ type: 'auth', token: `${who}.${session}`, ...from })
      await peer.next('ready')
      return peer
    },
    async stop() {
      for (const peer of peers) peer.ws.terminate()
      await Promise.all(nodes.map((node) => node.stop()))
      await rig.stop()
    },
  }
}
export type World = Awaited<ReturnType<typeof startWorld>>
type PeerOptions = { session?: SessionId; last?: string; epoch?: string }

export const defaults = (rig: Rig) => ({
  source: createLogSource(rig.log),
  codec: rig.codec,
  readRights: storedRights(),
  readRooms: noRooms,
  namesOf: async (members: readonly MemberId[]) => new Map(members.map((id) => [id, `Name of ${id.slice(0, 4)}`])),
  showsPresence: async () => true,
  sessionsThere: async (sessions: readonly SessionId[]) => sessions,
  logLine: () => undefined,
  ports: noPorts,
  now: () => new Date(),
})

async function startNode(deps: Omit<RealtimeDeps, 'origins'>) {
  const server = createServer((_request, response) => response.writeHead(404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://localhost:${port}`
  const realtime = createRealtime({ origins: () => [origin], ...deps })
  server.on('upgrade', (incoming, socket, head) => realtime.handleUpgrade(incoming, socket, head))
  await realtime.start()
  const stop = async () => {
    await realtime.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { realtime, port, origin, stop }
}
export type TestNode = Awaited<ReturnType<typeof startNode>>

function commands(rig: Rig) {
  const at = () => new Date()
  const pair = async (command: PairCommand, actor: MemberId) => {
    const outcome = await rig.dispatch(pairDecider, command, as(actor))
    if (!outcome.ok) throw new Error(outcome.reason)
    return outcome.position
  }
  const buzz = (from: MemberId, to: MemberId, via: 'discover' | 'microbuzz' = 'discover') =>
    pair({ type: 'Buzz', from, to, via, at: at() }, from)
  return {
    buzz,
    match: async (a: MemberId, b: MemberId) => {
      await buzz(a, b)
      return buzz(b, a)
    },
    sendMessage: (from: MemberId, to: MemberId, text: string, id: string = randomUUID()) =>
      pair({ type: 'SendMessage', message: id as MessageId, from, to, text, media: null, at: at() }, from),
    read: (by: MemberId, other: MemberId, upTo: string, number: number) =>
      pair({ type: 'MarkRead', by, other, upTo: upTo as MessageId, number, at: at() }, by),
    block: (by: MemberId, target: MemberId) => pair({ type: 'Block', by, target, at: at() }, by),
    unblock: (by: MemberId, target: MemberId) => pair({ type: 'Unblock', by, target, at: at() }, by),
    unmatch: (by: MemberId, target: MemberId) => pair({ type: 'Unmatch', by, target, at: at() }, by),
    withdraw: (from: MemberId, to: MemberId) => pair({ type: 'WithdrawBuzz', from, to, at: at() }, from),
    join: (who: MemberId) =>
      rig.dispatch(
        memberDecider,
        { type: 'Register', member: who, email: `${who}@example.com`, termsVersion: '1', demo: false, at: at() },
        as(who),
      ),
    account: (type: 'Deactivate' | 'Reactivate' | 'EraseAccount', who: MemberId) =>
      rig.dispatch(memberDecider, { type, member: who, at: at() }, as(who)),
    suspend: (who: MemberId) =>
      rig.dispatch(memberDecider, { type: 'Suspend', member: who, reason: 'test', at: at() }, as('system')),
    revoke: (who: MemberId, ...sessions: SessionId[]) =>
      rig.dispatch(memberDecider, { type: 'RevokeSessions', member: who, sessions, at: at() }, as(who)),
  }
}

export { member, pairIdOf }
