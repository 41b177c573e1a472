import { CappedSockets, type CountSockets, type SocketCaps } from '../../../realtime/capped-sockets.ts'
import type { Connection } from '../../../realtime/connection.ts'
import type { Channel } from '../channel.ts'

type Id = number
type Added = { readonly id: Id; readonly group: string }
type Remote = { readonly drop: () => void }
type Counted = Parameters<CountSockets>[0]
export type AllSockets = Readonly<Record<Counted, CappedSockets<Remote>>>

const topicsOf = (of: Counted) => ({ add: `${of}: add`, remove: `${of}: remove`, drop: `${of}: drop` })

/** The primary counts the sockets of all workers and names those that go. */
export function socketsOf(channel: Channel): CountSockets {
  return (of, _caps, drop) => {
    const { add, remove, drop: dropped } = topicsOf(of)
    const open = new Map<Connection, Added>()
    const connections = new Map<Id, Connection>()
    let last = 0
    const forget = (connection: Connection): Id | undefined => {
      const id = open.get(connection)?.id
      open.delete(connection)
      if (id !== undefined) connections.delete(id)
      return id
    }
    channel.onOpened(() => {
      for (const added of open.values()) channel.note(add, added)
    })
    channel.on(dropped, (id: Id) => {
      const connection = connections.get(id)
      if (!connection) return
      forget(connection)
      drop(connection)
    })
    return {
      add(connection, group) {
        const added: Added = { id: ++last, group }
        open.set(connection, added)
        connections.set(added.id, connection)
        channel.note(add, added)
      },
      delete(connection) {
        const id = forget(connection)
        if (id !== undefined) channel.note(remove, id)
      },
    }
  }
}

export const createSockets = (caps: Readonly<Record<Counted, SocketCaps>>): AllSockets => {
  const drop = (socket: Remote) => socket.drop()
  return { strangers: new CappedSockets(caps.strangers, drop), members: new CappedSockets(caps.members, drop) }
}

/** Those of a worker that died are gone with it. */
export function serveSockets(channel: Channel, all: AllSockets): () => void {
  const ends = [serveOne(channel, 'strangers', all.strangers), serveOne(channel, 'members', all.members)]
  return () => {
    for (const end of ends) end()
  }
}

function serveOne(channel: Channel, of: Counted, sockets: CappedSockets<Remote>): () => void {
  const own = new Map<Id, Remote>()
  const { add, remove, drop } = topicsOf(of)
  channel.on(add, ({ id, group }: Added) => {
    const socket = {
      // Forgotten first: a worker sends no `remove` for a socket that it was ordered to drop.
      drop() {
        own.delete(id)
        channel.note(drop, id)
      },
    }
    own.set(id, socket)
    sockets.add(socket, group)
  })
  channel.on(remove, (id: Id) => {
    const socket = own.get(id)
    own.delete(id)
    if (socket) sockets.delete(socket)
  })
  return () => {
    for (const socket of own.values()) sockets.delete(socket)
  }
}
