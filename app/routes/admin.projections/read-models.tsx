import type { LogLag, ProjectionOverview, TargetStatus } from '../../../projections/engine/care/status.ts'
import { Id } from '../../ui/audit/shown-value.tsx'
import { Scrolling } from '../../ui/audit/state-tables.tsx'
import { stampOf } from '../../ui/audit/words.ts'

const KIB = 1_024
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `3.2 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(KIB)))
  const amount = bytes / KIB ** power
  return `${power === 0 ? amount : amount.toFixed(1)} ${UNITS[power]}`
}

function lagText(lag: LogLag | null): string {
  if (lag === null) return '–'
  if (lag.events === 0) return 'none'
  return `${lag.events}${lag.more ? ' or more' : ''} ${lag.events === 1 ? 'event' : 'events'}, ${bytesText(lag.bytes)}, ${lag.seconds.toFixed(1)} s`
}

function stateText({ state }: TargetStatus, { pausedSince }: ProjectionOverview): string {
  return state === 'live' && pausedSince ? `live, paused since ${stampOf(pausedSince.toISOString())}` : state
}

const COLUMNS = ['Read model', 'Version', 'Status', 'Position', 'Lag', 'Events/s', 'Disk', 'Quarantine', 'Last error']
const NUMBERS = new Set(['Events/s', 'Disk', 'Quarantine'])

/** Every set of tables of every read model, the ones that readers see first. */
export function ReadModels({ models }: { models: readonly ProjectionOverview[] }) {
  return (
    <Scrolling label="Read models">
      <table className="staff-table">
        <caption className="visually-hidden">Read models and their status</caption>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={NUMBERS.has(column) ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.flatMap((model) =>
            model.targets.map((target) => <TargetRow key={target.schema} model={model} target={target} />),
          )}
        </tbody>
      </table>
    </Scrolling>
  )
}

function TargetRow({ model, target }: { model: ProjectionOverview; target: TargetStatus }) {
  const live = target.state === 'live'
  const lastFailed = live ? model.lastFailed : null
  const newer = model.version === target.version ? '' : ` (code: ${model.version ?? 'none'})`
  return (
    <tr>
      <th scope="row">{model.name}</th>
      <td className="tabular">{`${target.version}${newer}`}</td>
      <td>{stateText(target, model)}</td>
      <td className="tabular">
        <Id id={target.position} />
      </td>
      <td className="tabular">{lagText(target.lag)}</td>
      <td className="number">{Math.round(target.eventsPerSecond)}</td>
      <td className="number">{bytesText(target.diskBytes)}</td>
      <td className={live && model.quarantined > 0 ? 'number alarm-words' : 'number'}>
        {live ? model.quarantined : '–'}
      </td>
      <td>
        {target.error ? <p className="alarm-words">{target.error}</p> : null}
        {lastFailed ? (
          <p>
            {lastFailed.type} <Id id={lastFailed.id} /> ({`${lastFailed.stream}@${lastFailed.revision}`}):{' '}
            {lastFailed.reason}
          </p>
        ) : null}
        {!target.error && !lastFailed ? 'none' : null}
      </td>
    </tr>
  )
}
