import { allEvents } from '../../../domain/all-events.ts'
import { counted } from '../../../domain/shared/counted.ts'
import type { EventDefinition } from '../../../domain/shared/event.ts'
import { personalFieldsOf } from '../../../eventstore/codec.ts'
import { fieldsOf } from './fields.ts'
import type { StoredCount } from './stored.ts'
import type { Usage } from './usage.ts'

type UsageOf = (type: string) => Usage

const definitions: readonly EventDefinition[] = allEvents
export const findEvent = (type: string): EventDefinition | undefined => definitions.find((one) => one.type === type)

/** A line for each event: its versions, its decider, what of it is personal, and how many use it. */
export function describeAll(usageOf: UsageOf): string[] {
  const rows = definitions.map(({ type, versions, latest }) => {
    const { deciders, projections, reactors, pushes } = usageOf(type)
    const personal = personalFieldsOf(latest).map(({ name }) => name)
    return [
      type,
      `v${versions.length}`,
      deciders.join(', ') || 'no decider',
      personal.join(', ') || '-',
      [
        countedIfAny(projections.length, 'projection'),
        countedIfAny(reactors.length, 'reactor'),
        countedIfAny(pushes.length, 'push', 'pushes'),
      ]
        .filter(Boolean)
        .join(', ') || 'nobody',
    ]
  })
  return columns([['event', 'latest', 'evolved by', 'personal fields', 'handled by'], ...rows])
}

/** Everything about one event. */
export function describeEvent(
  definition: EventDefinition,
  usage: Usage,
  counts: readonly StoredCount[] | null,
): string[] {
  const { type, versions, upcasters } = definition
  const stored = (version: number) => {
    if (!counts) return ''
    const found = counts.find((one) => one.type === type && one.version === String(version))
    return `, ${(found?.events ?? 0).toLocaleString('en')} in the log`
  }
  const described = versions.flatMap((schema, index) => {
    const rows = fieldsOf(schema).map(({ name, type: text, sealedFor }) => [
      ...['  ', name, text],
      sealedFor ? `personal, of ${sealedFor}` : '',
    ])
    const raise = upcasters[index]
    return [
      `Version ${index + 1}${index === versions.length - 1 ? ', the latest' : ''}${stored(index + 1)}`,
      ...columns(rows),
      ...(raise ? [`  becomes version ${index + 2} by ${raise.toString().replace(/\s+/g, ' ')}`] : []),
    ]
  })
  return [type, ...described, ...usageLines(usage)]
}

function usageLines({ deciders, written, projections, reactors, pushes, mentioned }: Usage): string[] {
  const line = (what: string, all: readonly string[]) => [what, all.join(', ') || 'nobody']
  return columns([
    line('Evolved by', deciders),
    line('Made in', written),
    line('Projections', projections),
    line('Reactors', reactors),
    line('Pushes and rights', pushes),
    line('Named in', mentioned),
  ])
}

/** Counts by type and version, as `check` prints them. */
export function describeCounts(counts: readonly StoredCount[]): string[] {
  return columns(counts.map(({ type, version, events }) => [`  ${type}`, `v${version}`, events.toLocaleString('en')]))
}

const countedIfAny = (count: number, one: string, many?: string) => (count === 0 ? '' : counted(count, one, many))

/** Columns as wide as their widest entry, but for the last. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
