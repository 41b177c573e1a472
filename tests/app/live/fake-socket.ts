import type { ServerFrame } from '../../../realtime/protocol.ts'

/** A server's end in the hands of a test; each connection of the client opens one more. */
export class FakeSocket {
  readonly sent: Record<string, unknown>[] = []
  readyState = 0
  onopen: (() => void) | null = null
  onmessage: ((message: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.readyState = 3
  }

  open(): this {
    this.readyState = 1
    this.onopen?.()
    return this
  }

  deliver(...frames: ServerFrame[]): this {
    for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) })
    return this
  }

  end(code: number): void {
    this.readyState = 3
    this.onclose?.({ code })
  }

  /** Frames of a type that the client sent. */
  of(type: string): Record<string, unknown>[] {
    return this.sent.filter((frame) => frame.type === type)
  }
}

/** Sockets in the order the client opened them. */
export function fakeServer() {
  const sockets: FakeSocket[] = []
  const open = () => {
    const socket = new FakeSocket()
    sockets.push(socket)
    return socket as unknown as WebSocket
  }
  return { sockets, open, last: () => sockets[sockets.length - 1]! }
}
