/** More than the longest text that any form takes, as a browser encodes it. Of a larger body only the start is kept. */
export const KEPT_BYTES = 64 * 1024

/** A body that is kept as it is read, up to `KEPT_BYTES`; nothing of it is read before somebody asks. */
export class KeptText {
  readonly stream: ReadableStream<Uint8Array>
  private reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  private readonly pieces: Uint8Array[] = []
  private size = 0
  private state: 'open' | 'whole' | 'given up' = 'open'

  constructor(private readonly body: ReadableStream<Uint8Array>) {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const value = await this.next()
      if (value) controller.enqueue(value)
      else controller.close()
    }
    this.stream = new ReadableStream({ pull, cancel: (reason) => this.giveUp(reason) }, { highWaterMark: 0 })
  }

  private async next(): Promise<Uint8Array | undefined> {
    this.reader ??= this.body.getReader()
    const { value } = await this.reader.read()
    if (!value) {
      this.state = 'whole'
      return undefined
    }
    const room = KEPT_BYTES - this.size
    if (room > 0 && value.length > 0) this.pieces.push(value.slice(0, room))
    this.size += value.length
    return value
  }

  private async giveUp(reason?: unknown): Promise<void> {
    if (this.state === 'open') this.state = 'given up'
    await (this.reader ?? this.body).cancel(reason)
  }

  private get isTooLarge(): boolean {
    return this.size > KEPT_BYTES
  }

  /** As much as is kept. */
  async start(): Promise<Buffer> {
    while (this.state === 'open' && !this.isTooLarge && (await this.next()));
    // It settles with the body, which others may read on.
    if (this.state !== 'whole') this.giveUp().catch(() => undefined)
    return Buffer.concat(this.pieces)
  }

  /** Null for more than is kept, and for what nobody read to its end. */
  async whole(): Promise<Buffer | null> {
    const start = await this.start()
    return this.state === 'whole' && !this.isTooLarge ? start : null
  }
}
