import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from '../until.ts'

/** A connection whose own half stays open whatever the server does, as that of a client that never closes. */
export class HalfOpen {
  private text = ''
  private broken = false
  /** What came until the server closed its half, or broke the connection. */
  readonly answer: Promise<string>

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8').on('data', (part) => {
      this.text += part
    })
    this.answer = new Promise((resolve) => {
      socket.on('end', () => resolve(this.text))
      socket.on('error', () => {
        this.broken = true
        resolve(this.text)
      })
    })
  }

  static async to(port: number): Promise<HalfOpen> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    return new HalfOpen(socket)
  }

  send(text: string): void {
    this.socket.write(text)
  }

  /** Resolves once these words came. */
  async hears(words: string): Promise<void> {
    await until(`an answer with ${words}`, () => this.text.includes(words))
  }

  /** Resolves once the server keeps nothing of the connection: what is written then breaks it. */
  async isGone(): Promise<void> {
    await until('the connection is gone at the server', () => {
      if (!this.broken) this.socket.write('x')
      return this.broken
    })
    this.socket.destroy()
  }

  close(): void {
    this.socket.destroy()
  }
}
