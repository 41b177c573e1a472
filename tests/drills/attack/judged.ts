import type { Collected } from './collected.ts'
import { type AttackFigures, QUIET, TOGETHER } from './felt.ts'
import { quantile } from './honest.ts'
import { FIFTY_CLIPS, KINDS, UPLOADS } from './kinds.ts'
import type { Counted } from './target.ts'

const HIGHEST_P99_MS = 500
const SLOWEST_UPLOAD_MS = 15_000
/** What fifty bad files cost others: so many times what they wait without any, where that can be measured (decision 0016). */
const COST_OF_FIFTY = 2
const MEASURABLE_MS = 50
const HIGHEST_GROWTH = 1.2
/** Descriptors of idle connections and pools come and go, at each process that serves the port. */
const SPARE_DESCRIPTORS = 40
/** Bodies on their way may have 512 MiB (decision 0019), beside what the program has in quiet: at each of these processes. */
const HIGHEST_PEAK_MIB = 700
/** Of large files alone, which have a piece of each in memory: 20 of 49 MiB are a thousand. */
const LARGE_FILES_MIB = 200
/** Of large files, in twenty seconds of them alone. */
const LEAST_WRITTEN_MIB = 500
/** Of what a way has to reach alone, beside all others, with which it shares its core. */
const SHARE_TOGETHER = 1 / 20
/** The time for which the least of a way is given. */
const WAY_SECONDS = 20
const BUSY = '503'

/** `again`: after all at once a second time. */
export type Memory = { readonly before: Collected; readonly after: Collected; readonly again: Collected }

/** What went beyond the limits, in words. */
export function brokenBy(attacks: readonly AttackFigures[], memory: Memory, workers = 1): string[] {
  const felt = attacks.flatMap((figures) => feltBy(figures, workers))
  return [...felt, ...attacks.flatMap(unreachedBy), ...costOfFifty(attacks), ...leftBy(memory, workers)]
}

const feltBy = ({ name, p99, slowestUpload, wrong, startMib, peakMib }: AttackFigures, workers: number) => [
  ...(p99 > HIGHEST_P99_MS ? [`${name}: neighbours waited ${p99} ms`] : []),
  ...(slowestUpload > SLOWEST_UPLOAD_MS ? [`${name}: a picture took ${slowestUpload} ms`] : []),
  ...(peakMib > HIGHEST_PEAK_MIB * workers ? [`${name}: ${peakMib} MiB at most`] : []),
  ...(name === UPLOADS && peakMib - startMib > LARGE_FILES_MIB ? [`${name}: ${startMib} MiB became ${peakMib}`] : []),
  ...wrong.map((what) => `${name}: ${what}`),
]

/** What did not meet what it attacks often enough, and answers that nobody should get. */
function unreachedBy({ name, seconds, writtenMib, ways }: AttackFigures): string[] {
  const share = (name === TOGETHER ? SHARE_TOGETHER : 1) * Math.min(1, seconds / WAY_SECONDS)
  const least = LEAST_WRITTEN_MIB * share
  return [
    ...Object.entries(ways).flatMap(([way, counted]) => [
      ...(counted.reached < (KINDS[way]?.least ?? 0) * share ? [`${name}: ${reachedBy(way, counted)}`] : []),
      ...failuresIn(counted).map(([status, times]) => `${name}: ${way} was answered ${status} ${times} times`),
    ]),
    ...(UPLOADS in ways && writtenMib < least ? [`${name}: ${writtenMib} MiB reached the disk`] : []),
  ]
}

const failuresIn = ({ outcomes }: Counted) =>
  Object.entries(outcomes).filter(([outcome]) => /^5\d\d$/.test(outcome) && outcome !== BUSY)

/** In one round a single slow answer is the hundredth: the answers of all rounds are one sample. */
function costOfFifty(attacks: readonly AttackFigures[]): string[] {
  const [quiet, fifty] = [QUIET, FIFTY_CLIPS].map((name) => p99OfAll(attacks, name)) as [number, number]
  return fifty > Math.max(MEASURABLE_MS, quiet * COST_OF_FIFTY) ? [`${FIFTY_CLIPS}: ${fifty} ms beside ${quiet}`] : []
}

const p99OfAll = (attacks: readonly AttackFigures[], name: string) =>
  quantile(
    attacks.filter((one) => one.name === name).flatMap(({ ms }) => ms),
    0.99,
  )

function leftBy({ before, after, again }: Memory, workers: number): string[] {
  const died = before.parts.filter((part) => !again.parts.includes(part)).map((part) => `${part} died`)
  const large = (what: 'live' | 'mib', words: string) =>
    [after, again].flatMap((then) =>
      then[what] > before[what] * HIGHEST_GROWTH ? [`${before[what]} MiB${words} became ${then[what]}`] : [],
    )
  const open = again.descriptors - before.descriptors
  const kept = open > SPARE_DESCRIPTORS * workers ? [`${open} descriptors stayed open`] : []
  return [...died, ...large('live', ' of objects'), ...large('mib', ''), ...kept]
}

/** One line, and one below it for each way. */
export function line(figures: AttackFigures): string {
  const { name, ms, p50, p99, slowestUpload, wrong, mib, peakMib, draftsMib, writtenMib, descriptors, busy, ways } =
    figures
  const felt = `${ms.length} answers, p50 ${p50} ms, p99 ${p99} ms, slowest picture ${slowestUpload} ms, ${wrong.length} wrong, ${busy} of a core`
  const left = `${mib} MiB, at most ${peakMib}, ${descriptors} descriptors; drafts ${draftsMib} MiB, in all ${writtenMib}`
  return [
    `${name.padEnd(18)} ${felt}; ${left}`,
    ...Object.entries(ways).map(([way, counted]) => `  ${reachedBy(way, counted)}`),
  ].join('\n')
}

function reachedBy(way: string, { outcomes, reached }: Counted): string {
  const each = Object.entries(outcomes).map(([outcome, times]) => `${times} ${outcome}`)
  return `${way.padEnd(18)} ${reached} ${KINDS[way]?.reaches}: ${each.join(', ')}`
}

export function memoryLine({ before, after, again }: Memory): string {
  const of = (name: string, { live, mib }: Collected) => `${live} MiB of objects in ${mib} ${name}`
  return [of('before', before), of('after', after), of('again', again)].join(', ')
}
