import { Link } from '@remix-run/react'
import type { ComparedRow } from '../../../projections/history/compare.ts'
import { COMPARED_MIB } from '../../../projections/history/limits.ts'
import type { ComparedModel } from '../../../projections/history/replay.ts'
import type { HistoryRow } from '../../../projections/history/table.ts'
import { Id, ShownValue } from '../../ui/audit/shown-value.tsx'
import { stampOf } from '../../ui/audit/words.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import './models.css'

type Reason = Pick<HistoryRow, 'id' | 'type' | 'kind' | 'stream' | 'revision'> & { readonly at: string | Date }
/** `madeBy` holds the newest of `made` events, oldest first. */
export type ShownRow = Omit<ComparedRow, 'madeBy'> & { readonly madeBy: readonly Reason[]; readonly made: number }

const WORDS = {
  equal: 'equals a replay',
  differs: 'differs from a replay',
  filling: 'is filled for the first time',
  'too-large': 'is too large to be compared here',
} as const
const ROW_WORDS = {
  equal: 'equals the replay',
  differs: 'differs from the replay',
  missing: 'is missing: the events make it, readers do not see it',
  surplus: 'is surplus: readers see it, no event makes it',
} as const

type ModelsProps = { models: readonly ComparedModel[]; member: string; shown: string | null }

/** Whether what readers see matches the log, model by model. */
export function Models({ models, member, shown }: ModelsProps) {
  return (
    <ul className="models">
      {models.map(({ name, position, verdict, count, wrong }) => (
        <li key={name} className={`model model-${verdict}`}>
          <Icon name={verdict === 'equal' ? 'circle-check' : 'triangle-alert'} />
          <span>
            <Link to={`/audit/${member}/rows?model=${name}`} aria-current={name === shown ? 'true' : undefined}>
              {name}
            </Link>{' '}
            {WORDS[verdict]}
            {position ? (
              <>
                {' '}
                at position <Id id={position} />
              </>
            ) : null}
            {verdict === 'too-large' ? null : (
              <span className="soft small">
                , {count} {count === 1 ? 'row' : 'rows'}
                {wrong > 0 ? `, ${wrong} not as it should be` : ''}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Whether readers see what the log has, as far as it was compared, and what an auditor can do about the rest. */
export function Verdict({ models }: { models: readonly ComparedModel[] }) {
  const wrong = models.some(({ verdict }) => verdict === 'differs')
  const large = models.filter(({ verdict }) => verdict === 'too-large').map(({ name }) => name)
  const right = large.length > 0 ? 'What was compared is what the log says' : 'What readers see is what the log says'
  return (
    <>
      <Banner tone={wrong ? 'alarm' : 'leaf'} title={wrong ? 'Readers see what the log does not say' : right}>
        <p>The member’s events were folded again in memory and compared with the rows at the same position.</p>
      </Banner>
      {large.length > 0 ? (
        <Banner tone="honey" title={`Too large to be compared here: ${large.join(', ')}`}>
          <p>
            This member’s rows are more than {COMPARED_MIB} MiB. Each event is on the timeline and in the export, and
            the state of a stream is folded whatever its length. At a terminal{' '}
            <code>npm run projections -- verify {large[0]}</code> compares all rows of everybody.
          </p>
        </Banner>
      ) : null}
    </>
  )
}

/** One row with its columns; in a list of `model` also the newest of the events that made it what it is. */
export function ModelRow({ row, member, model }: { row: ShownRow; member: string; model: string | null }) {
  const { table, verdict, columns } = row
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
      {model ? <Reasons row={row} member={member} model={model} /> : null}
    </article>
  )
}

function Reasons({ row, member, model }: { row: ShownRow; member: string; model: string }) {
  const { id: rowId, madeBy, made } = row
  const all = `/audit/${member}/rows?model=${model}&row=${rowId}`
  return (
    <details>
      <summary>
        Why is this so? {made} {made === 1 ? 'event' : 'events'}
      </summary>
      <ol className="reasons small">
        {madeBy.map(({ id, type, at, kind, stream, revision }) => (
          <li key={id}>
            <Link to={`/audit/${member}/state?stream=${stream}&revision=${revision}`}>{type}</Link>{' '}
            <span className="tabular">{stampOf(new Date(at).toISOString())}</span>{' '}
            <span className="mono soft">{`${kind}@${revision}`}</span>
          </li>
        ))}
      </ol>
      <p>
        <Link to={all}>{made > madeBy.length ? `All ${made} with what they say` : 'With what they say'}</Link>
      </p>
    </details>
  )
}
