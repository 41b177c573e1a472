import { randomUUID } from 'node:crypto'
import WebSocket from 'ws'
import { LiveConnection } from '../../app/live/connection.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import type { MemberId, MessageId } from '../../domain/shared/ids.ts'
import type { Dispatch } from '../../eventstore/dispatch.ts'
import { idFrom } from '../../eventstore/ids.ts'

export type Pair = readonly [MemberId, MemberId]
const WRITERS_PAUSE_MS = 20

/** A member's page: what it showed, in the order it showed it. */
export class Page {
  readonly shown: { id: string; pos: string; room: string; number: number }[] = []
  resyncs = 0
  readonly connection: LiveConnection

  constructor(
    readonly member: MemberId,
    port: number,
    resume: boolean,
  ) {
    const origin = 'http://localhost:1'
    this.connection = new LiveConnection({
      url: `ws://127.0.0.1:${port}/realtime`,
      from: null,
      token: () => `${member}.${idFrom('session', member)}`,
      reload: async () => {
        this.resyncs++
        throw new Error('the drill has no page to read again')
      },
      open: (url) => {
        const socket = new WebSocket(url, { origin })
        // A socket that is refused closes next; that is what the page hears of it.
        socket.on('error', () => undefined)
        return (resume ? socket : forgetful(socket)) as unknown as globalThis.WebSocket
      },
    })
    this.connection.on('direct:message', ({ pos, data }) => {
      this.shown.push({ id: data.id, pos, room: data.roomId, number: data.number })
    })
    this.connection.start()
  }

  get live(): boolean {
    return this.connection.state === 'live'
  }
}

/** Leaves out where the page was, as a client without resume does. */
function forgetful(socket: WebSocket): WebSocket {
  const send = socket.send.bind(socket)
  socket.send = (text: string) => {
    const { last: _last, epoch: _epoch, ...frame } = JSON.parse(text)
    send(JSON.stringify(frame))
  }
  return socket
}

/** Both buzz: the room is open. */
export async function match(dispatch: Dispatch, [a, b]: Pair): Promise<void> {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const command = { type: 'Buzz' as const, from, to, via: 'discover' as const, at: new Date() }
    await dispatch(pairDecider, command, { commandId: randomUUID(), actor: from })
  }
}

/** The two write to each other until stopped; returns the ids that were stored. */
export async function writeUntil(stopped: () => boolean, dispatch: Dispatch, [a, b]: Pair): Promise<string[]> {
  const stored: string[] = []
  for (let n = 0; !stopped(); n++) {
    const [from, to] = n % 3 === 0 ? [b, a] : [a, b]
    const message = randomUUID() as MessageId
    const command = { type: 'SendMessage' as const, message, from, to, text: `word ${n}`, media: null, at: new Date() }
    const outcome = await dispatch(pairDecider, command, { commandId: randomUUID(), actor: from })
    if (!outcome.ok) throw new Error(`a message was refused: ${outcome.reason}`)
    stored.push(message)
    await new Promise((resolve) => setTimeout(resolve, WRITERS_PAUSE_MS))
  }
  return stored
}
