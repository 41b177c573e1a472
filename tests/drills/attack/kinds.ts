import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { type Asked, ask, formOf } from '../network.ts'
import { abandonedPages, emptyConnections, halfClosed, slowBody, slowHeader } from './connections.ts'
import { clipBombs, type Hostile, imageBombs } from './files.ts'
import { controlFrames, oversizedFrames, resumeStorm, socketFlood } from './sockets.ts'

/** What is attacked, from where, by whose sessions, and until when. */
export type Target = {
  readonly url: string
  readonly port: number
  readonly address: string
  readonly addresses: readonly string[]
  readonly tokens: readonly string[]
  readonly stopped: () => boolean
}

type Attack = (target: Target) => Promise<void>

const MIB = 1024 * 1024
const WORKERS = 8

/** Sends one request after the other by several workers; a refusal or a cut connection is what an attacker expects. */
async function storm(
  { url, address, tokens, stopped }: Target,
  path: string,
  next: (turn: number) => Asked,
  { workers = WORKERS, agent }: { workers?: number; agent?: Agent } = {},
) {
  let turn = 0
  const worker = async () => {
    while (!stopped()) {
      const at = turn++
      const token = tokens[at % tokens.length]
      await ask(url + path, { address, ...(token && { token }), ...(agent && { agent }) }, next(at)).catch(
        () => undefined,
      )
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
}

async function uploads(target: Target, files: readonly Hostile[]): Promise<void> {
  const forms = files.map(({ bytes, type }) => formOf({ purpose: 'chat' }, bytes, type))
  await storm(target, '/api/upload-media-file', (turn) => forms[turn % forms.length] as Asked)
}

const manyParts = () => {
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body: `${part.repeat(20_000)}--b--\r\n` }
}
const largeForm = () => ({
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: `email=${'a'.repeat(52 * MIB)}`,
})

async function forms(target: Target): Promise<void> {
  const kinds = [manyParts(), largeForm()]
  await storm({ ...target, tokens: [] }, '/login', (turn) => kinds[turn % kinds.length] as Asked)
}

const asJson = (body: string) => ({ headers: { 'Content-Type': 'application/json' }, body })

async function deepJson(target: Target): Promise<void> {
  const deep = `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`k${at}`, at])))
  const kinds = [deep, wide, `{"to":${'['.repeat(200_000)}`, `{"to":"${'\\u0000'.repeat(40_000)}"}`].map(asJson)
  await storm(target, '/api/likes', (turn) => kinds[turn % kinds.length] as Asked)
}

/** Bodies in chunks of a byte. */
async function smallPieces(target: Target): Promise<void> {
  const pieces = () => Readable.from(Array<string>(60_000).fill('a'))
  const headers = { 'Content-Type': 'application/csp-report', 'Sec-Fetch-Site': 'same-origin' }
  await storm(target, '/csp-report', () => ({ method: 'POST', headers, body: pieces() }))
}

/** Heads with as many parameters and cookies as they hold. */
async function manyNames(target: Target): Promise<void> {
  const names = Array.from({ length: 1_800 }, (_, at) => `n${at.toString(36)}=1`)
  const cookies = { Cookie: names.slice(0, 900).join('; ') }
  await Promise.all([
    storm(target, `/api/matches?${names.join('&')}`, () => ({})),
    storm({ ...target, tokens: [] }, '/login', () => ({ headers: cookies })),
  ])
}

const PER_ADDRESS = 20

/** Small forms that are refused as pages, over many connections from every address at once. */
async function smallForms(target: Target): Promise<void> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: target.url }
  const form = () => ({ method: 'POST', headers, body: 'email=b' })
  const storms = target.addresses.map((address) => {
    const agent = new Agent({ keepAlive: true })
    return storm({ ...target, address, tokens: [] }, '/login', form, { workers: PER_ADDRESS, agent })
  })
  await Promise.all(storms)
}
export const SMALL_FORMS = 'small-forms'

/** Fifty at once, and no more: what they cost others. */
async function fiftyClips({ url, addresses, tokens, stopped }: Target): Promise<void> {
  const files = await clipBombs()
  const forms = files.map(({ bytes, type }) => formOf({ purpose: 'chat' }, bytes, type))
  const send = (at: number) =>
    ask(
      `${url}/api/upload-media-file`,
      { address: addresses[at % addresses.length]!, token: tokens[at % tokens.length]! },
      forms[at % forms.length]!,
    ).catch(() => undefined)
  await Promise.all(Array.from({ length: 50 }, (_, at) => send(at)))
  while (!stopped()) await pause(100)
}
export const FIFTY_CLIPS = 'fifty-clips'

/** By name; each goes on until it is stopped. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'clip-bombs': async (target) => uploads(target, await clipBombs()),
  'image-bombs': (target) => uploads(target, imageBombs()),
  uploads: (target) => uploads(target, [{ bytes: randomBytes(49 * MIB), type: 'video/mp4' }]),
  forms,
  [SMALL_FORMS]: smallForms,
  'slow-header': slowHeader,
  'slow-body': slowBody,
  'half-closed': halfClosed,
  'socket-flood': socketFlood,
  'oversized-frames': oversizedFrames,
  'deep-json': deepJson,
  'resume-storm': resumeStorm,
  'small-pieces': smallPieces,
  'control-frames': controlFrames,
  'many-names': manyNames,
  'abandoned-pages': abandonedPages,
  'empty-connections': emptyConnections,
}

export const KINDS: Readonly<Record<string, Attack>> = { ...ATTACKS, [FIFTY_CLIPS]: fiftyClips }
