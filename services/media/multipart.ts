/** One part of a multipart body; read its chunks to the end before asking for the next. */
export type Part = { name: string; isFile: boolean; chunks: AsyncIterable<Uint8Array> }

const HEADER_BYTES = 8 * 1024
const HEADER_END = Buffer.from('\r\n\r\n')

/** The parts of a multipart/form-data body (RFC 7578), none of it kept. Throws on a body that is not one. */
export async function* readParts(body: AsyncIterator<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter has no line before it.
  const window = new Window(body, Buffer.from('\r\n'))
  try {
    for await (const _ of window.until(delimiter));
    while (!(await window.takeEnd())) {
      const headers = await window.header()
      const disposition = /^content-disposition:\s*form-data;(.*)$/im.exec(headers)?.[1] ?? ''
      const name = /(?:^|[;\s])name="([^"]*)"/i.exec(disposition)?.[1]
      if (name === undefined) throw new Error('A part without a name.')
      const chunks = window.until(delimiter)
      yield { name, isFile: /(?:^|[;\s])filename\*?=/i.test(disposition), chunks }
      for await (const _ of chunks);
    }
  } finally {
    await body.return?.()
  }
}

/** The bytes that were read and not yet given out. */
class Window {
  #held: Buffer
  readonly #body: AsyncIterator<Uint8Array>

  constructor(body: AsyncIterator<Uint8Array>, held: Buffer) {
    this.#body = body
    this.#held = held
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#body.next()
    if (done) throw new Error('The body ends before its last boundary.')
    this.#held = Buffer.concat([this.#held, value])
  }

  /** Everything before the delimiter, which is taken too. */
  async *until(delimiter: Buffer): AsyncGenerator<Uint8Array> {
    while (true) {
      const at = this.#held.indexOf(delimiter)
      const free = at >= 0 ? at : this.#held.length - delimiter.length + 1
      if (free > 0) yield this.#take(free)
      if (at >= 0) {
        this.#take(delimiter.length)
        return
      }
      await this.#more()
    }
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return taken
  }

  /** After a delimiter: true at the closing one. */
  async takeEnd(): Promise<boolean> {
    while (this.#held.length < 2) await this.#more()
    return this.#take(2).toString('latin1') === '--'
  }

  async header(): Promise<string> {
    while (this.#held.indexOf(HEADER_END) < 0) {
      if (this.#held.length > HEADER_BYTES) throw new Error('A part with too long a head.')
      await this.#more()
    }
    const text = this.#take(this.#held.indexOf(HEADER_END)).toString('utf8')
    this.#take(HEADER_END.length)
    return text
  }
}
