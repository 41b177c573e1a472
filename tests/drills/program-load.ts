import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Caller, call } from './program-people.ts'

const ANSWER_MS = 10_000
const RETRY_MS = 100
const PAUSE_MS = 5

/** What was acknowledged to members: buzzes as `from to`, messages by their id. `unclear`: tries that got no answer. */
export type Acknowledged = { buzzes: string[]; messages: string[]; unclear: number }
export type Load = { stopped: () => boolean; url: string; acknowledged: Acknowledged }
type Pair<C extends Caller = Caller> = readonly [C, C]

/** Every pair of members, in an order that spreads each member over the whole time. */
export function pairsOf<C extends Caller>(members: readonly C[]): Pair<C>[] {
  const distances = Array.from({ length: Math.floor(members.length / 2) }, (_, n) => n + 1)
  const ring = distances.flatMap((far) =>
    members.map((one, at) => [one, members[(at + far) % members.length] as C] as const),
  )
  const key = ([a, b]: Pair<C>) => [a.id, b.id].sort().join(' ')
  return [...new Map(ring.map((pair) => [key(pair), pair])).values()]
}

/** Matches one pair after the other and writes messages between its matches, until stopped. */
export async function liveUntil(load: Load, pairs: readonly Pair[]): Promise<void> {
  const matched: Pair[] = []
  for (let turn = 0; !load.stopped(); turn++) {
    const fresh = pairs[matched.length]
    if (fresh && turn % 4 === 0) {
      if ((await buzz(load, fresh[0], fresh[1])) && (await buzz(load, fresh[1], fresh[0]))) matched.push(fresh)
    } else {
      const [a, b] = matched[turn % matched.length] as Pair
      await (turn % 2 ? sendMessage(load, a, b) : sendMessage(load, b, a))
    }
    await pause(PAUSE_MS)
  }
}

/** Sent again until it is answered. After a try without an answer, "already" is the answer. */
async function buzz(load: Load, from: Caller, to: Caller): Promise<boolean> {
  const send = () => call(load.url, '/likes', { token: from.token, body: { to: to.id } })
  const done = await untilAnswered(load, send, (status, text) => status === 400 && text.includes('already'))
  if (done) load.acknowledged.buzzes.push(`${from.id} ${to.id}`)
  return done
}

/** Sent again with the same id until it is answered. */
async function sendMessage(load: Load, from: Caller, to: Caller): Promise<void> {
  const id = randomUUID()
  const send = () => call(load.url, `/chat/${to.id}/messages`, { token: from.token, body: { id, text: `word ${id}` } })
  if (await untilAnswered(load, send, () => false)) load.acknowledged.messages.push(id)
}

type Done = (status: number, text: string) => boolean

/** False when the load was stopped before an answer came. An answer that no member should get ends the drill. */
async function untilAnswered(load: Load, send: () => Promise<Response>, isRepeat: Done): Promise<boolean> {
  for (let tries = 0; !load.stopped() || tries === 0; tries++) {
    const answer = await within(ANSWER_MS, send)
    if (answer?.status === 200) return true
    if (answer && tries > 0 && isRepeat(answer.status, answer.text)) return true
    if (answer && answer.status < 500 && answer.status !== 409)
      throw new Error(`refused with ${answer.status}: ${answer.text}`)
    load.acknowledged.unclear++
    await pause(RETRY_MS)
  }
  return false
}

async function within(ms: number, send: () => Promise<Response>): Promise<{ status: number; text: string } | null> {
  const late = pause(ms, null, { ref: false })
  const whole = send().then(async (answer) => ({ status: answer.status, text: await answer.text() }))
  return Promise.race([whole.catch(() => null), late])
}
