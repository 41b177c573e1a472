import { counted } from '../../../domain/shared/counted.ts'
import type { QuarantinedKey } from '../../../projections/engine/care/quarantined-keys.ts'
import type { Retried } from '../../../projections/engine/care/retry.ts'
import type { ProjectionOverview, TargetStatus } from '../../../projections/engine/care/status.ts'
import type { Explained, Touch } from '../../../projections/engine/care/touched-by.ts'
import type { DifferingRow, RebuildVerdict, TableVerdict } from '../../../projections/engine/care/verify.ts'

const count = (value: number): string => Math.round(value).toLocaleString('en')

/** `1 event`, `1,000 or more events`. */
export const eventsText = (many: number, more = false): string =>
  `${count(many)}${more ? ' or more' : ''} ${many === 1 ? 'event' : 'events'}`

function bytes(value: number): string {
  if (value < 1024) return `${value} B`
  return value < 1024 ** 2 ? `${Math.round(value / 1024)} kB` : `${(value / 1024 ** 2).toFixed(1)} MB`
}

/** The state of a read model, for people. */
export function statusLines({
  name,
  version,
  isFollowed,
  pausedSince,
  quarantined,
  lastFailed,
  targets,
}: ProjectionOverview): string[] {
  if (targets.length === 0) return [`${name}  has no tables yet: they are made when the product starts`]
  const paused = pausedSince ? [`${name}  is paused since ${pausedSince.toISOString()}`] : []
  const failed = lastFailed
    ? [
        `  ${eventsText(quarantined)} in quarantine, the last that failed: ${lastFailed.type} ${lastFailed.id}`,
        `    (${lastFailed.stream}@${lastFailed.revision}): ${lastFailed.reason}`,
      ]
    : []
  const code = targets.some((one) => one.version === version) ? [] : [`  ${codeText(name, version, isFollowed)}`]
  return [
    ...paused,
    ...targets.map((target) => `${name}  ${targetLine(target)}${endOf(name, version, target)}`),
    ...code,
    ...failed,
  ]
}

function codeText(name: string, version: number | null, isFollowed: boolean): string {
  if (version !== null) return `this code makes version ${version}`
  if (isFollowed) return 'of another release, a process of which runs'
  return `of another release, of which no process runs: an erasure waits until that was so for an hour and removes it then, as "drop ${name}" does at once`
}

function targetLine(target: TargetStatus): string {
  const { schema, state, position, lag, eventsPerSecond, error, diskBytes } = target
  const behind =
    lag &&
    (lag.events === 0
      ? 'up to date'
      : `${eventsText(lag.events, lag.more)}, ${bytes(lag.bytes)} and ${count(lag.seconds)} s behind`)
  const rate = state === 'retired' ? [] : [`${eventsPerSecond.toFixed(eventsPerSecond < 10 ? 1 : 0)} events/s`]
  const disk = `${bytes(diskBytes)} on disk`
  const parts = [schema, state, `at ${position}`, ...(behind ? [behind] : []), ...rate, disk]
  return [...parts, ...(error === null ? [] : [`stuck: ${error}`])].join('  ')
}

/** What becomes of tables that nobody fills and nobody reads. */
function endOf(name: string, own: number | null, { version, state, updatedAt, keptUntil }: TargetStatus): string {
  if (!keptUntil) return ''
  const until = `kept until ${keptUntil.toISOString()}`
  if (state === 'retired') return `  ${until}, the next swap or erasure`
  if (state === 'live') return `  ${until}`
  const goesOn = version === own ? `"rebuild ${name}" goes on with them; ` : ''
  return `  left since ${updatedAt.toISOString()}: ${goesOn}${until} or the next erasure`
}

const keyText = (key: object) => Object.values(key).join(',')

/** How new tables compare; the rows that differ are named by key. */
export function verdictLines(verdict: RebuildVerdict): string[] {
  const head = `Compared with live at ${verdict.position} in ${verdict.seconds.toFixed(1)} s:`
  return [head, ...verdict.tables.flatMap(tableLines)]
}

function tableLines({ table, rows, hash, unlike, differing }: TableVerdict): string[] {
  const same = rows.live === rows.fresh && hash.live === hash.fresh && hash.live !== ''
  const other = unlike.length > 0 ? [`    columns of one side alone: ${unlike.join(', ')}`] : []
  const counts = same
    ? `${counted(rows.live, 'row')}, the same`
    : `${counted(rows.live, 'row')} live, ${count(rows.fresh)} new`
  return [`  ${table}: ${counts}`, ...other, ...differing.map((row) => `    ${differingLine(row)}`)]
}

const differingLine = ({ key, side, columns }: DifferingRow): string =>
  side === 'differs' ? `${keyText(key)} differs in ${columns.join(', ')}` : `${keyText(key)} is ${side}`

/** The events that made a row. */
export function explainedLines({ table, key, row, touches }: Explained): string[] {
  const head = `${table.name} ${keyText(key)}: ${row ? 'a row' : 'no row'} by ${eventsText(touches.length)}`
  return [head, ...touches.map((touch) => `  ${touchLine(touch)}`)]
}

function touchLine({ stored, did, columns }: Touch): string {
  const what = columns.length > 0 ? `${did} ${columns.join(', ')}` : did
  const { position, recordedAt, type, id, stream, revision } = stored
  return `${position}  ${recordedAt.toISOString()}  ${type} ${id} (${stream}@${revision})  ${what}`
}

/** The events of a key in quarantine; what is encrypted in them stays so. */
export function quarantineLines({ target, key, events, total }: QuarantinedKey): string[] {
  return [
    `${target.name}: ${key} is in quarantine with ${eventsText(total)}`,
    ...events.flatMap(({ stored, reason, at }, index) => [
      `  ${stored.type} ${stored.id} @${stored.revision}  since ${at.toISOString()}: ${reason}`,
      ...(index === 0 ? [`    ${masked(stored.data)}`] : []),
    ]),
    ...(total > events.length ? [`  and ${eventsText(total - events.length)} behind them`] : []),
  ]
}

/** What a retry came to, in one read model. */
export function retriedLines({ quarantined: { target, key }, applied, gone, reason, incomplete }: Retried): string[] {
  const { name } = target
  return [
    ...(applied > 0 ? [`${name}: ${eventsText(applied)} of ${key} applied.`] : []),
    ...(gone > 0
      ? [`${name}: the log no longer has ${eventsText(gone)} of ${key}: removed from quarantine, not applied.`]
      : []),
    ...(incomplete
      ? [`Rows may differ from what the log makes of all that came meanwhile. Compare with: rebuild ${name}`]
      : []),
    ...(reason === null ? [] : [`${name}: ${key} stays in quarantine: ${reason}`]),
  ]
}

function masked({ sealed: encrypted, ...clear }: Record<string, unknown>): string {
  const closed = Object.keys((encrypted ?? {}) as object).map((field) => [`encrypted for ${field}`, '…'])
  return JSON.stringify({ ...clear, ...Object.fromEntries(closed) })
}
