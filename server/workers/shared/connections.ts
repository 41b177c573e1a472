import type { Socket } from 'node:net'
import type { CountConnections } from '../../http/connection-caps.ts'
import { type ConnectionCaps, Connections } from '../../http/connections.ts'
import type { Channel } from '../channel.ts'

type Id = number
type Entered = { readonly id: Id; readonly network: string | null }
type Asked = { readonly id: Id; readonly requests: number }
type Vouched = { readonly id: Id; readonly holder: string }

const ENTER = 'port: enter'
const LEAVE = 'port: leave'
const ASKED = 'port: asked'
const VOUCH = 'port: vouch'
const DROP = 'port: drop'

/** The primary counts the connections of all workers and names those that go. */
export function connectionsOf(channel: Channel): CountConnections {
  return (drop) => {
    const ids = new Map<Socket, Id>()
    const sockets = new Map<Id, Socket>()
    let last = 0
    const note = (topic: string, socket: Socket, rest: object) => {
      const id = ids.get(socket)
      if (id !== undefined) channel.note(topic, { id, ...rest })
    }
    channel.on(DROP, (id: Id) => {
      const socket = sockets.get(id)
      if (socket) drop(socket)
    })
    return {
      enter(socket, network) {
        const id = ++last
        ids.set(socket, id)
        sockets.set(id, socket)
        note(ENTER, socket, { network })
      },
      leave(socket) {
        note(LEAVE, socket, {})
        sockets.delete(ids.get(socket) ?? 0)
        ids.delete(socket)
      },
      asked: (socket, requests) => note(ASKED, socket, { requests }),
      vouch: (socket, holder) => note(VOUCH, socket, { holder }),
    }
  }
}

type Remote = { readonly drop: () => void }
export type AllConnections = Connections<Remote>

export const createConnections = (caps: ConnectionCaps): AllConnections =>
  new Connections<Remote>(caps, ({ drop }) => drop())

/** Those of a worker that died are gone with it. */
export function serveConnections(channel: Channel, all: AllConnections): () => void {
  const own = new Map<Id, Remote>()
  const withOwn = (id: Id, work: (one: Remote) => void) => {
    const one = own.get(id)
    if (one) work(one)
  }
  const leave = (id: Id) =>
    withOwn(id, (one) => {
      own.delete(id)
      all.leave(one)
    })
  channel.on(ENTER, ({ id, network }: Entered) => {
    const one = { drop: () => channel.note(DROP, id) }
    own.set(id, one)
    all.enter(one, network)
  })
  channel.on(LEAVE, ({ id }: { id: Id }) => leave(id))
  channel.on(ASKED, ({ id, requests }: Asked) => withOwn(id, (one) => all.asked(one, requests)))
  channel.on(VOUCH, ({ id, holder }: Vouched) => withOwn(id, (one) => all.vouch(one, holder)))
  return () => {
    for (const id of [...own.keys()]) leave(id)
  }
}
