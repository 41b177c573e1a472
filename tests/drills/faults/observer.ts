import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Caller, call } from '../program-people.ts'

const ANSWER_MS = 45_000
const BETWEEN_MS = 150
/** As long as texts get, so that tables have to grow. */
const FILLER_BYTES = 2_700
const POSITION = 'X-Log-Position'

/** What a member saw of one request. `honest`: an answer that declares what it is, in the form that its caller reads. */
export type Observation = {
  readonly what: 'write' | 'read' | 'page'
  readonly status: number | null
  readonly ms: number
  readonly honest: boolean
  readonly behind: boolean
  /** It reported that all is unavailable, and when to ask again. */
  readonly withRetryAfter: boolean
}

/** Two matched members who write, read their conversation and load a page, again and again. */
export class Observer {
  readonly observations: Observation[] = []
  readonly acknowledged: string[] = []
  /** By the product's clock, of the newest message. */
  newestAt: Date | null = null
  private position: string | null = null
  private stopped = false
  private readonly running: Promise<unknown>

  constructor(
    private readonly url: () => string,
    private readonly me: Caller,
    private readonly other: Caller,
  ) {
    const loop = async (look: () => Promise<Observation>) => {
      while (!this.stopped) {
        this.observations.push(await look())
        await pause(BETWEEN_MS)
      }
    }
    this.running = Promise.all([loop(() => this.write()), loop(() => this.read()), loop(() => this.page())])
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.running
  }

  /** Writes that failed so far. */
  readonly refused = () => this.observations.filter(({ what, status }) => what === 'write' && status !== 200).length

  /** Whether everything works: a write, its own read and a page, none of them behind. */
  async works(): Promise<boolean> {
    const observations = [await this.write(), await this.read(), await this.page()]
    return observations.every(({ status, behind }) => status === 200 && !behind)
  }

  private async write(): Promise<Observation> {
    const id = randomUUID()
    const body = { id, text: `word ${id} ${randomBytes(FILLER_BYTES).toString('base64')}` }
    const { answer, observation } = await this.ask('write', (signal) =>
      fetch(`${this.url()}/api/chat/${this.other.id}/messages`, {
        method: 'POST',
        headers: { ...this.bearer(), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }),
    )
    if (observation.status === 200) this.acknowledged.push(id)
    this.position = answer?.headers.get(POSITION) ?? this.position
    return observation
  }

  private async read(): Promise<Observation> {
    const headers = { ...this.bearer(), ...(this.position && { [POSITION]: this.position }) }
    const url = `${this.url()}/api/chat/${this.other.id}/messages`
    const { answer, observation, text } = await this.ask('read', (signal) => fetch(url, { headers, signal }))
    if (answer?.ok) this.newestAt = newestIn(text)
    return observation
  }

  private async page(): Promise<Observation> {
    const cookies = [`__Host-buzz=${this.me.token}`, ...(this.position ? [`__Host-pos=${this.position}`] : [])]
    const headers = { Cookie: cookies.join('; '), Accept: 'text/html' }
    return (await this.ask('page', (signal) => fetch(`${this.url()}/chat`, { headers, signal, redirect: 'manual' })))
      .observation
  }

  private readonly bearer = () => ({ Authorization: `Bearer ${this.me.token}` })

  private async ask(what: Observation['what'], send: (signal: AbortSignal) => Promise<Response>) {
    const startedAt = performance.now()
    const ms = () => Math.round(performance.now() - startedAt)
    try {
      const answer = await send(AbortSignal.timeout(ANSWER_MS))
      const text = await answer.text()
      const behind = answer.headers.has('X-Log-Behind')
      const honest = what === 'page' ? isHonestPage(answer, text, behind) : isHonestCall(answer, text)
      const withRetryAfter = answer.status === 503 && answer.headers.has('Retry-After')
      return { answer, text, observation: { what, status: answer.status, ms: ms(), honest, behind, withRetryAfter } }
    } catch {
      return {
        answer: null,
        text: '',
        observation: { what, status: null, ms: ms(), honest: false, behind: false, withRetryAfter: false },
      }
    }
  }
}

function newestIn(text: string): Date | null {
  const [newest] = (JSON.parse(text) as { messages: { time: string }[] }).messages
  return newest ? new Date(newest.time) : null
}

/** What a fault makes fail answers that it is away and when to ask again, for nothing is wrong with what was asked. */
const saysWhen = ({ status, headers }: Response) => status < 500 || (status === 503 && headers.has('Retry-After'))

/** A failed call answers JSON that names its error (api-contract §6.0). */
function isHonestCall(answer: Response, text: string): boolean {
  const { ok, headers } = answer
  if (ok) return true
  if (!saysWhen(answer)) return false
  if (!headers.get('Content-Type')?.includes('application/json')) return false
  return typeof (JSON.parse(text) as { error?: unknown }).error === 'string'
}

/** A page that failed is a page that states it; one that is behind states that. */
function isHonestPage(answer: Response, text: string, behind: boolean): boolean {
  const { status } = answer
  if (!saysWhen(answer)) return false
  if (behind && !text.includes(SAYS_BEHIND)) return false
  return status === 200 || (text.includes('<html') && /<h1[ >]/.test(text))
}

const SAYS_BEHIND = 'is still on its way. Look again'

/** The two of an observer. */
export async function match(url: string, a: Caller, b: Caller): Promise<void> {
  for (const [from, to] of [[a, b] as const, [b, a] as const]) {
    const answer = await call(url, '/likes', { token: from.token, body: { to: to.id } })
    if (!answer.ok) throw new Error(`a buzz was refused: ${await answer.text()}`)
  }
}
