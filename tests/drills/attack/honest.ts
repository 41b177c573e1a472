import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { jpeg } from '../../services/support/pictures.ts'
import { type Answered, type Asked, ask, type From, formOf } from '../network.ts'
import type { Caller } from '../program-people.ts'

/** A member at home: an address that no attacker has. */
export type Neighbour = Caller & { readonly address: string; readonly other: string }
type Living = Neighbour & { readonly agent: Agent }
/** Milliseconds of each answer, apart of each upload, and what was no answer that a member should get. */
export type Felt = { readonly ms: number[]; readonly uploads: number[]; readonly wrong: string[] }

const EVERY_MS = 400
/** One beside each attack, by each member in turn, a few of each beside all at once: fewer than an hour allows. */
const UPLOAD_EVERY_MS = 25_000
/** As many connections as a browser keeps to one site. */
const CONNECTIONS = 6
/** One request of so many comes over a connection of its own, as after a pause or from another network. */
const ANEW = 10
let lives = 0

/**
 * Members who read, write to each other, each about twice a second, and send a picture now and then, until stopped. They keep
 * connections, as browsers do.
 */
export async function liveBeside(url: string, people: readonly Neighbour[], stopped: () => boolean): Promise<Felt> {
  const felt: Felt = { ms: [], uploads: [], wrong: [] }
  const picture = formOf({ purpose: 'chat' }, await jpeg(800, 600), 'image/jpeg')
  const living = people.map((one) => ({ ...one, agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }) }))
  const upload = (one: Living) => sent(url, '/api/upload-media-file', one, picture)
  const first = lives++
  const later = (at: number) => UPLOAD_EVERY_MS * ((at + first) % people.length)
  type Beat = { readonly everyMs: number; readonly afterMs: number; readonly at: number }
  const beat = async (ms: number[], { everyMs, afterMs, at }: Beat, act: (turn: number) => Promise<string | null>) => {
    await untilStopped(performance.now() + afterMs, stopped)
    for (let turn = at; !stopped(); turn++) {
      const startedAt = performance.now()
      await act(turn).then(
        (problem) => problem && felt.wrong.push(problem),
        (error: Error) => felt.wrong.push(error.message),
      )
      ms.push(performance.now() - startedAt)
      await untilStopped(startedAt + everyMs, stopped)
    }
  }
  await Promise.all(
    living.flatMap((one, at) => [
      beat(felt.ms, { everyMs: EVERY_MS, afterMs: (EVERY_MS * at) / people.length, at }, (turn) =>
        lookOrWrite(url, one, turn),
      ),
      beat(felt.uploads, { everyMs: UPLOAD_EVERY_MS, afterMs: later(at), at }, () => upload(one)),
    ]),
  )
  for (const { agent } of living) agent.destroy()
  return felt
}

async function untilStopped(at: number, stopped: () => boolean): Promise<void> {
  while (!stopped() && performance.now() < at) await pause(Math.min(EVERY_MS, Math.max(1, at - performance.now())))
}

async function sent(url: string, path: string, from: From, asked: Asked): Promise<string | null> {
  const { status, text } = await asBrowsers(url + path, from, asked)
  return status === 200 ? null : `${path} ${status} ${text.slice(0, 80)}`
}

/** Browsers ask again, over another connection, where one that was kept turns out to be closed. */
async function asBrowsers(url: string, from: From, asked: Asked): Promise<Answered> {
  try {
    return await ask(url, from, asked)
  } catch (error) {
    if (!(error as { reused?: boolean }).reused) throw error
    const { agent: _, ...anew } = from
    return ask(url, anew, asked)
  }
}

function lookOrWrite(url: string, { agent, address, token, other }: Living, turn: number): Promise<string | null> {
  const writes = turn % 4 === 0
  const path = writes ? `/api/chat/${other}/messages` : `/api${CALLS[turn % CALLS.length]}`
  const body = JSON.stringify({ id: randomUUID(), text: `word ${turn}` })
  const from = { address, token, ...(turn % ANEW && { agent }) }
  return sent(url, path, from, writes ? { headers: { 'Content-Type': 'application/json' }, body } : {})
}

const CALLS = ['/matches', '/users/me', '/notifications'] as const

/** The value below which this share of them lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
