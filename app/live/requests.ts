/** What the server answered; `lost` when the connection ended first, and whether it was done is not known. */
export type Answer =
  | { readonly ok: true; readonly pos: string }
  | { readonly ok: false; readonly error: string; readonly code: string; readonly retryInMs?: number | undefined }

export const LOST: Answer = { ok: false, error: 'The connection was lost.', code: 'lost' }
const ANSWER_MS = 10_000

/** Frames that wait for their ack or error, by frame id. */
export class Requests {
  private count = 0
  private readonly waiting = new Map<string, (answer: Answer) => void>()

  /** Hands the frame's id to `send`; resolves with the answer to it. */
  ask(send: (id: string) => boolean): Promise<Answer> {
    const id = `r${++this.count}`
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.settle(id, LOST), ANSWER_MS)
      this.waiting.set(id, (answer) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(answer)
      })
      if (!send(id)) this.settle(id, LOST)
    })
  }

  settle(id: string | null, answer: Answer): void {
    this.waiting.get(id ?? '')?.(answer)
  }

  loseAll(): void {
    for (const id of [...this.waiting.keys()]) this.settle(id, LOST)
  }
}
