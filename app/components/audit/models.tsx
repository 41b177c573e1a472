import { Link } from '@remix-run/react'
import type { ComparedModel, ComparedRow } from '../../../projections/history/replay.ts'
import { stampOf } from '../../lib/audit/words.ts'
import { Icon } from '../icon.tsx'
import { Id, ShownValue } from './shown-value.tsx'

export type ModelLine = Omit<ComparedModel, 'rows'> & { readonly count: number; readonly wrong: number }

const WORDS = {
  equal: 'equals a replay',
  differs: 'differs from a replay',
  filling: 'is filled for the first time',
} as const
const ROW_WORDS = {
  equal: 'equals the replay',
  differs: 'differs from the replay',
  missing: 'is missing: the events make it, readers do not see it',
  surplus: 'is surplus: readers see it, no event makes it',
} as const

/** Whether what readers see is what the log says, model by model. */
export function Models({ models, member }: { models: readonly ModelLine[]; member: string }) {
  return (
    <ul className="models">
      {models.map(({ name, position, verdict, count, wrong }) => (
        <li key={name} className={`model model-${verdict}`}>
          <Icon name={verdict === 'equal' ? 'circle-check' : 'triangle-alert'} />
          <span>
            <Link to={`/audit/${member}/rows?model=${name}`}>{name}</Link> {WORDS[verdict]}
            {position ? (
              <>
                {' '}
                at position <Id id={position} />
              </>
            ) : null}
            <span className="soft small">
              {' '}
              {count} {count === 1 ? 'row' : 'rows'}
              {wrong > 0 ? `, ${wrong} not as it should be` : ''}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** One row with its columns, and the events that made it what it is. */
export function ModelRow({ row, member }: { row: ComparedRow; member: string }) {
  const { table, verdict, columns, madeBy } = row
  return (
    <article className={`model-row model-row-${verdict}`}>
      <h3>
        {table} <span className="soft small">{ROW_WORDS[verdict]}</span>
      </h3>
      <dl className="staff-facts">
        {columns.map(({ name, shown, differs }) => (
          <div key={name} className={differs ? 'differs' : undefined}>
            <dt>
              {name}
              {differs ? <span className="visually-hidden"> (differs)</span> : null}
            </dt>
            <dd>
              <ShownValue shown={shown} />
            </dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>
          Why is this so? {madeBy.length} {madeBy.length === 1 ? 'event' : 'events'}
        </summary>
        <ol className="reasons small">
          {madeBy.map(({ id, type, at, stream, revision }) => (
            <li key={id}>
              <Link to={`/audit/${member}/state?stream=${stream}&revision=${revision}`}>{type}</Link>{' '}
              <span className="tabular">{stampOf(new Date(at).toISOString())}</span> <Id id={`${stream}@${revision}`} />
            </li>
          ))}
        </ol>
      </details>
    </article>
  )
}
