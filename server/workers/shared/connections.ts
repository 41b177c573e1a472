import type { Socket } from 'node:net'
import type { CountConnections } from '../../http/connection-caps.ts'
import { type ConnectionCaps, Connections } from '../../http/connections.ts'
import type { Channel } from '../channel.ts'

type Id = number
/** A connection of this process, as it would enter again where another process begins to count. `noted`: it has entered. */
type Own = { readonly id: Id; readonly network: string | null; noted: boolean; requests: number; holder: string | null }
type Entered = { readonly id: Id; readonly network: string | null }
type Asked = { readonly id: Id; readonly requests: number }
type Vouched = { readonly id: Id; readonly holder: string }

const ENTER = 'port: enter'
const LEAVE = 'port: leave'
const ASKED = 'port: asked'
const VOUCH = 'port: vouch'
const DROP = 'port: drop'

/** A connection enters once it asks for something, or after so long: thousands that do neither cost the primary no message. */
const YOUNG_MS = 100

/** The primary counts the connections of all workers and names those that go. */
export function connectionsOf(channel: Channel): CountConnections {
  return (drop) => {
    const open = new Map<Socket, Own>()
    const sockets = new Map<Id, Socket>()
    let last = 0
    const withOpen = (socket: Socket, work: (own: Own) => void) => {
      const own = open.get(socket)
      if (own) work(own)
    }
    const enter = (own: Own) => {
      own.noted = true
      channel.note(ENTER, { id: own.id, network: own.network } satisfies Entered)
    }
    const young = new Set<Own>()
    const grow = (own: Own) => young.delete(own) && enter(own)
    const growAll = () => {
      for (const own of young) grow(own)
    }
    const ask = ({ id }: Own, requests: number) => channel.note(ASKED, { id, requests } satisfies Asked)
    const vouch = ({ id, holder }: Own) => holder !== null && channel.note(VOUCH, { id, holder } satisfies Vouched)
    channel.onOpened(() => {
      for (const own of open.values()) {
        if (!own.noted) continue
        enter(own)
        ask(own, own.requests)
        vouch(own)
      }
    })
    channel.on(DROP, (id: Id) => {
      const socket = sockets.get(id)
      if (socket) drop(socket)
    })
    return {
      enter(socket, network) {
        const own: Own = { id: ++last, network, noted: false, requests: 0, holder: null }
        open.set(socket, own)
        sockets.set(own.id, socket)
        if (young.add(own).size === 1) setTimeout(growAll, YOUNG_MS).unref()
      },
      leave: (socket) =>
        withOpen(socket, (own) => {
          if (!young.delete(own)) channel.note(LEAVE, { id: own.id })
          sockets.delete(own.id)
          open.delete(socket)
        }),
      asked: (socket, requests) =>
        withOpen(socket, (own) => {
          grow(own)
          own.requests += requests
          ask(own, requests)
        }),
      vouch: (socket, holder) =>
        withOpen(socket, (own) => {
          grow(own)
          own.holder = holder
          vouch(own)
        }),
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
