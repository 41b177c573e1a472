import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { holdRaw } from '../described/hold-raw.ts'
import { until } from '../until.ts'

/** A connection whose own half stays open whatever the server does, as that of a client that never closes. */
export class HalfOpen {
  private asked = ''
  private readonly pieces: Buffer[] = []
  private checked = 0
  private broken = false
  /** What came until the server closed its half, or broke the connection. */
  readonly answer: Promise<string>

  private constructor(
    private readonly socket: Socket,
    private readonly port: number,
  ) {
    socket.on('data', (piece) => this.pieces.push(piece))
    this.answer = new Promise<void>((resolve) => {
      socket.on('end', resolve)
      socket.on('error', () => {
        this.broken = true
        resolve()
      })
    }).then(() => this.check(true))
  }

  static async to(port: number): Promise<HalfOpen> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    await once(socket, 'connect')
    return new HalfOpen(socket, port)
  }

  /** What came, of which every whole answer is checked against the document. */
  private async check(isOver = false): Promise<string> {
    const bytes = Buffer.concat(this.pieces)
    this.checked = await holdRaw(this.port, this.asked, { bytes, isOver: isOver && !this.broken }, this.checked)
    return bytes.toString()
  }

  send(text: string): void {
    this.asked += text
    this.socket.write(text)
  }

  /** Resolves once these words came. */
  async hears(words: string): Promise<void> {
    await until(`an answer with ${words}`, () => Buffer.concat(this.pieces).includes(words))
    await this.check()
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
