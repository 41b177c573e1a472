import type { ChildProcess } from 'node:child_process'

/** What carries messages to the other process and back. */
export type Port = {
  readonly send: (message: object) => void
  readonly listen: (heard: (message: unknown) => void) => void
}

type Item =
  | { readonly topic: string; readonly body: unknown; readonly id?: number }
  | { readonly answers: number; readonly body: unknown; readonly failed?: true }

type Message = { readonly type: 'shared'; readonly items: readonly Item[] }
type Handler = (body: unknown) => unknown
type Asked = { resolve(body: unknown): void; reject(error: Error): void }

/** The other process is gone, or could not answer. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/**
 * One end of what a worker and its primary send each other, as JSON: notes, and questions with an answer. What one turn of
 * the event loop has to send goes in one message, in order. Closed, it can be opened again over another port; what was
 * noted meanwhile is lost.
 */
export class Channel {
  private readonly handlers = new Map<string, Handler>()
  private readonly asked = new Map<number, Asked>()
  private unsent: Item[] = []
  private readonly whenOpened: (() => void)[] = []
  private last = 0
  private port: Port | undefined

  /** Without a port it is closed. */
  constructor(port?: Port) {
    if (port) this.open(port)
  }

  open(port: Port): void {
    this.port = port
    port.listen((message) => {
      if (this.port === port && isMessage(message)) for (const item of message.items) this.take(item)
    })
    for (const opened of this.whenOpened) opened()
  }

  /** Each later time that it is opened: the other end knows nothing of what was noted before. */
  onOpened(opened: () => void): void {
    this.whenOpened.push(opened)
  }

  /** What is done with a note, or answered to a question, of this topic. */
  on<Body>(topic: string, handler: (body: Body) => unknown): void {
    this.handlers.set(topic, handler as Handler)
  }

  note(topic: string, body: unknown): void {
    this.send({ topic, body })
  }

  /** Rejects with `NoAnswer` where the other end fails, or is gone. */
  ask<Answer>(topic: string, body: unknown): Promise<Answer> {
    const id = ++this.last
    return new Promise<Answer>((resolve, reject) => {
      if (!this.port) return reject(new NoAnswer(topic))
      this.asked.set(id, { resolve: (answer) => resolve(answer as Answer), reject })
      this.send({ topic, body, id })
    })
  }

  close(): void {
    this.port = undefined
    this.unsent = []
    for (const { reject } of this.asked.values()) reject(new NoAnswer('The other process is gone.'))
    this.asked.clear()
  }

  private send(item: Item): void {
    if (!this.port) return
    if (this.unsent.push(item) === 1) setImmediate(() => this.flush())
  }

  private flush(): void {
    const items = this.unsent
    this.unsent = []
    if (items.length > 0) this.port?.send({ type: 'shared', items } satisfies Message)
  }

  private take(item: Item): void {
    if ('answers' in item) {
      this.hear(item.answers, item)
      return
    }
    const { topic, body, id } = item
    const answered = this.answer(topic, body)
    answered.then(
      (answer) => id !== undefined && this.send({ answers: id, body: answer }),
      () => id !== undefined && this.send({ answers: id, body: null, failed: true }),
    )
  }

  private async answer(topic: string, body: unknown): Promise<unknown> {
    return this.handlers.get(topic)?.(body)
  }

  private hear(id: number, { body, failed }: { body: unknown; failed?: true }): void {
    const asked = this.asked.get(id)
    this.asked.delete(id)
    if (failed) asked?.reject(new NoAnswer('The other process could not answer.'))
    else asked?.resolve(body)
  }
}

const isMessage = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'shared'

const unheard = () => undefined

/** To a worker of this process. What is sent to one that is dying is lost. */
export const portTo = (child: ChildProcess): Port => ({
  send: (message) => void (child.connected && child.send(message, unheard)),
  listen: (heard) => void child.on('message', heard),
})

/** To the process that started this one. */
export const portToPrimary = (): Port => ({
  send: (message) => void (process.connected && process.send?.(message, undefined, undefined, unheard)),
  listen: (heard) => void process.on('message', heard),
})
