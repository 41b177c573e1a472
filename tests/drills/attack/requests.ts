import { Agent } from 'node:http'
import { Readable } from 'node:stream'
import { type Asked, ask, type From } from '../network.ts'
import type { Target } from './target.ts'

const MIB = 1024 * 1024
const WORKERS = 8

type Storm = {
  readonly workers?: number
  readonly agent?: Agent
  /** Whether an answer of this status met what is attacked. */
  readonly reaches: (status: number) => boolean
}

/** Sends one request after the other by several workers; a refusal or a cut connection is what an attacker expects. */
export async function storm(
  target: Target,
  path: string,
  next: (turn: number) => Asked,
  { workers = WORKERS, agent, reaches }: Storm,
): Promise<void> {
  const { address, tokens, stopped } = target
  let turn = 0
  const worker = async () => {
    while (!stopped()) {
      const at = turn++
      const token = tokens[at % tokens.length]
      await send(target, path, { address, ...(token && { token }), ...(agent && { agent }) }, next(at), reaches)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

/** Counts the status, `late` where none came in a minute, or `cut`. */
export async function send(
  { url, tally }: Target,
  path: string,
  from: From,
  asked: Asked,
  reaches: (status: number) => boolean,
): Promise<number | null> {
  try {
    const { status } = await ask(url + path, from, asked)
    tally.count(status, reaches(status))
    return status
  } catch (error) {
    tally.count((error as Error).message === 'no answer came' ? 'late' : 'cut', false)
    return null
  }
}

/** Refused for what it is, not because there were too many. */
const isRead = (status: number) => status < 500 && ![401, 403, 429].includes(status)

const manyParts = () => {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body: `${part.repeat(20_000)}--b--\r\n` }
}
const largeForm = () => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: `email=${'a'.repeat(52 * MIB)}`,
})

export async function forms(target: Target): Promise<void> {
  const origin = { Origin: target.url }
  const kinds = [manyParts(), largeForm()].map(({ headers, body }) => ({ headers: { ...headers, ...origin }, body }))
  await storm({ ...target, tokens: [] }, '/login', (turn) => kinds[turn % kinds.length] as Asked, { reaches: isRead })
}

const asJson = (body: string) => ({ headers: { 'Content-Type': 'application/json' }, body })

export async function deepJson(target: Target): Promise<void> {
  const deep = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`k${at}`, at])))
  const kinds = [deep, wide, `{"to":${'['.repeat(200_000)}`, `{"to":"${'\\u0000'.repeat(40_000)}"}`].map(asJson)
  await storm(target, '/api/likes', (turn) => kinds[turn % kinds.length] as Asked, { reaches: isRead })
}

/** Bodies in chunks of a byte, from every address: each may send sixty a minute. */
export async function smallPieces(target: Target): Promise<void> {
  const pieces = () => Readable.from(Array<string>(60_000).fill('a'))
  const headers = { 'Content-Type': 'application/csp-report', 'Sec-Fetch-Site': 'same-origin' }
  let turn = 0
  const worker = async () => {
    while (!target.stopped()) {
      const address = target.addresses[turn++ % target.addresses.length] as string
      await send(target, '/csp-report', { address }, { method: 'POST', headers, body: pieces() }, isRead)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
}

/** Heads with as many parameters and cookies as they hold. */
export async function manyNames(target: Target): Promise<void> {
  const names = Array.from({ length: 1_800 }, (_, at) => `n${at.toString(36)}=1`)
  const cookies = { Cookie: names.slice(0, 900).join('; ') }
  await Promise.all([
    storm(target, `/api/matches?${names.join('&')}`, () => ({}), { reaches: isRead }),
    storm({ ...target, tokens: [] }, '/login', () => ({ headers: cookies }), { reaches: isRead }),
  ])
}

const PER_ADDRESS = 20

/** Small forms that are refused as pages, over many connections from every address at once. */
export async function smallForms(target: Target): Promise<void> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: target.url }
  const form = () => ({ method: 'POST', headers, body: 'email=b' })
  const storms = target.addresses.map((address) => {
    const agent = new Agent({ keepAlive: true })
    const from = { ...target, address, tokens: [] }
    return storm(from, '/login', form, { workers: PER_ADDRESS, agent, reaches: isRead })
  })
  await Promise.all(storms)
}
