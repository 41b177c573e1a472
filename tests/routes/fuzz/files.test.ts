import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MEDIA_PURPOSES } from '../../../domain/shared/media.ts'
import { isKyc, MEDIA_TYPES } from '../../../services/media/kinds.ts'
import { packetsOf } from '../../services/support/clips.ts'
import { draftsIn } from '../../services/support/forms.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { until } from '../../support/until.ts'
import type { Person } from '../../support/world-people.ts'
import { foreignFiles, goodFiles, MARK, NAMES, spoiled } from './spoiled-files.ts'
import { type Fuzzed, fire, type Judged, SEED, startFuzzed, volley } from './volley.ts'

const FILES = volley({ requests: 25, atOnce: 3, variable: 'FUZZ_FILES', msEach: 3_000 })
/** A file has ten seconds of a parser, and may wait for others. */
const ANSWER_MS = 30_000

let fuzzed: Fuzzed
beforeAll(async () => {
  fuzzed = await startFuzzed()
}, 120_000)
afterAll(() => fuzzed?.world.stop())

async function upload(file: Buffer, purpose: string, as: Person, name = 'holiday.jpg') {
  const body = new FormData()
  body.set('purpose', purpose)
  body.set('file', new Blob([new Uint8Array(file)]), name)
  const signal = AbortSignal.timeout(ANSWER_MS)
  const headers = { Authorization: `Bearer ${as.token}` }
  const answer = await fetch(`${fuzzed.world.url}/api/upload-media-file`, { method: 'POST', headers, body, signal })
  return { status: answer.status, text: await answer.text() }
}

/**
 * A stored clip without its packets. Where the tables of one clip stand before the bytes of another they name some of
 * these as packets, whatever they are: to a player they are pictures and sounds.
 */
async function besidePackets(clip: Buffer): Promise<Buffer> {
  const left = Buffer.from(clip)
  for (const [, hex] of Object.values(await packetsOf(clip)).flat()) {
    const packet = Buffer.from(hex, 'hex')
    const at = left.indexOf(packet)
    if (at >= 0) left.fill(0, at, at + packet.length)
  }
  return left
}

/** What is kept is a file of a type that is taken, made anew: nothing stands beside what was to be seen or heard. */
async function wrongInStored(text: string, purpose: string, as: Person): Promise<string | null> {
  const { url } = JSON.parse(text) as { url: string }
  const stored = await fetch(new URL(url, fuzzed.world.url), { headers: { Cookie: as.cookie } })
  const bytes = Buffer.from(await stored.arrayBuffer())
  // Papers for verification are never served.
  if (isKyc(purpose)) return stored.status === 404 ? null : 'papers are served'
  if (stored.status !== 200) return `served with ${stored.status}`
  const type = stored.headers.get('Content-Type') ?? ''
  if (!MEDIA_TYPES.includes(type)) return 'served as something else'
  if (!bytes.includes(MARK)) return null
  const isHidden = type.startsWith('image/') || (await besidePackets(bytes)).includes(MARK)
  return isHidden ? 'holds what was hidden in it' : null
}

async function judge(file: Buffer, purpose: string, as: Person, name: string): Promise<Judged> {
  const { status, text } = await upload(file, purpose, as, name)
  const summary = `${purpose}, ${file.length} bytes from ${file.subarray(0, 12).toString('hex')}: ${status} ${text.slice(0, 200)}`
  // Others are before it: the one refusal that is no word about the file.
  if (status >= 500 && status !== 503) return { status, wrong: summary }
  const found = status === 200 ? await wrongInStored(text, purpose, as) : null
  return { status, ...(found && { wrong: `${summary} ${found}` }) }
}

test(
  `no file brings the product down or keeps what is hidden in it (seed ${SEED})`,
  async () => {
    const { world, people } = fuzzed
    const files = await goodFiles()
    const shots = fc.record({
      file: spoiled(files),
      purpose: fc.constantFrom(...MEDIA_PURPOSES),
      name: fc.constantFrom(...NAMES),
    })
    let turn = 0
    await fire(FILES, { musts: [], others: shots }, ({ file, purpose, name }) =>
      judge(file, purpose, people[turn++ % people.length] as Person, name),
    )
    for (const foreign of await foreignFiles()) {
      const head = foreign.subarray(0, 12).toString('latin1')
      expect([400, 415], head).toContain((await upload(foreign, 'photo', people[0])).status)
    }
    expect(await upload(await jpeg(), 'post', people[0])).toMatchObject({ status: 200 })
    // Further forms of a file that was taken are made later, from a draft of it.
    await until('no draft is left', () => draftsIn(join(world.dataDir, 'media')).length === 0, ANSWER_MS)
  },
  FILES.limitMs,
)
