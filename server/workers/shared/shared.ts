import { type CountSockets, countHere } from '../../../realtime/capped-sockets.ts'
import { LIMITS, memberCaps, strangerCaps } from '../../../realtime/limits.ts'
import type { Counter, CounterOptions } from '../../../services/limits/counters.ts'
import type { Spending } from '../../../services/limits/spending.ts'
import { DraftRoom, type Room } from '../../../services/media/draft-room.ts'
import { WORKER_LIMITS } from '../../../services/media/workers/limits.ts'
import { createTurns, type Turns } from '../../../services/media/workers/turns.ts'
import { createHashTurns } from '../../../services/passwords.ts'
import type { InTurn } from '../../../services/queue.ts'
import { CONNECTION_CAPS, type CountConnections, countAlone } from '../../http/connection-caps.ts'
import type { Channel } from '../channel.ts'
import { connectionsOf, createConnections, serveConnections } from './connections.ts'
import { counterOf, createCounters } from './counters.ts'
import { draftRoomOf, serveDraftRoom } from './draft-room.ts'
import { eachConnection, eachSocket } from './each.ts'
import { createSockets, serveSockets, socketsOf } from './sockets.ts'
import { createSpendingRelay, spendingOf } from './spending.ts'
import { mediaTurnsOf, serveMediaTurns, serveTurns, turnsOf } from './turns.ts'

/** What the workers of one port count together (decision 0029); a process by itself counts each of them alone. */
export type Shared = {
  readonly counter: (options: CounterOptions) => Counter
  readonly hashTurns: InTurn
  readonly mediaTurns: Turns
  readonly draftRoom: Room
  readonly connections: CountConnections
  readonly countSockets: CountSockets
  /** Bytes of bodies, by network. */
  readonly read: Spending
  /** Bytes that were sent again, by member. */
  readonly replays: Spending
  /** Frames of sockets, by member. */
  readonly frames: Spending
}

const HASH = 'hash'
const MEDIA = 'media'
const READ = 'read'
const REPLAYS = 'replays'
const FRAMES = 'frames'

/** What a process counts by itself, too, so that it serves on while nobody else counts for it. */
export type Alone = Pick<Shared, 'hashTurns' | 'mediaTurns' | 'draftRoom' | 'connections' | 'countSockets'>

export const createAlone = (): Alone => ({
  hashTurns: createHashTurns(),
  mediaTurns: createTurns(WORKER_LIMITS),
  draftRoom: new DraftRoom(),
  connections: countAlone(),
  countSockets: countHere,
})

/** As a worker has it; one with `alone` outlives whoever counts for it. */
export const sharedOver = (channel: Channel, alone?: Alone): Shared => ({
  counter: counterOf(channel),
  hashTurns: turnsOf(channel, HASH, alone?.hashTurns),
  mediaTurns: mediaTurnsOf(channel, MEDIA, alone?.mediaTurns),
  draftRoom: draftRoomOf(channel, alone?.draftRoom),
  connections: alone ? eachConnection(alone.connections, connectionsOf(channel)) : connectionsOf(channel),
  countSockets: alone ? eachSocket(alone.countSockets, socketsOf(channel)) : socketsOf(channel),
  read: spendingOf(channel, READ),
  replays: spendingOf(channel, REPLAYS),
  frames: spendingOf(channel, FRAMES),
})

/** What the primary has for its workers. `hashTurns` are its own, too. */
export type Sharing = {
  readonly hashTurns: InTurn
  /** Call the answer when the worker is gone: what it had is free again. */
  serve(channel: Channel): () => void
}

export function createSharing(): Sharing {
  const hashTurns = createHashTurns()
  const mediaTurns = createTurns(WORKER_LIMITS)
  const room = new DraftRoom()
  const connections = createConnections(CONNECTION_CAPS)
  const sockets = createSockets({ members: memberCaps(LIMITS), strangers: strangerCaps(LIMITS) })
  const count = createCounters()
  const relays = [READ, REPLAYS, FRAMES].map(createSpendingRelay)
  return {
    hashTurns,
    serve(channel) {
      count(channel)
      const ends = [
        serveTurns(channel, HASH, hashTurns),
        serveMediaTurns(channel, MEDIA, mediaTurns),
        serveDraftRoom(channel, room),
        serveConnections(channel, connections),
        serveSockets(channel, sockets),
        ...relays.map((relay) => relay(channel)),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
  }
}
