import type { ReactNode } from 'react'
import type { Difference, StateAt, StreamPoint } from '../../../projections/history/state.ts'
import { Banner } from '../feedback/banner.tsx'
import { ShownValue } from './shown-value.tsx'
import { stampOf } from './words.ts'
import './state-tables.css'

export const momentWords = ({ revision, at }: StreamPoint): string =>
  revision === null ? 'before its first event' : `after revision ${revision}${at ? `, ${stampOf(at)}` : ''}`

/** That more was asked for than can be folded, and why. */
export function Unreadable({ why }: { why: string | undefined }) {
  if (!why) return null
  return (
    <Banner tone="alarm" title="The log cannot be read from here on">
      <p className="id">{why}</p>
    </Banner>
  )
}

const endWords = ({ revision, at }: StreamPoint): string =>
  revision === null ? 'its beginning' : `revision ${revision}${at ? `, ${stampOf(at)}` : ''}`

/** Every leaf of a state. A wide table scrolls by itself, also by keyboard. */
export function StateTable({ state }: { state: StateAt }) {
  return (
    <Scrolling label="State">
      <table className="staff-table">
        <caption>
          {state.stream} {momentWords(state)}
        </caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {state.leaves.map(({ path, shown }) => (
            <tr key={path}>
              <th scope="row">{path || 'state'}</th>
              <td>
                <ShownValue shown={shown} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  )
}

/** What is not the same at two moments. */
export function DifferenceTable({ difference }: { difference: Difference }) {
  const { from, to, changes } = difference
  if (changes.length === 0)
    return (
      <p>
        Nothing changed between {endWords(from)} and {endWords(to)}.
      </p>
    )
  return (
    <Scrolling label="Difference">
      <table className="staff-table">
        <caption>
          {to.stream}: from {endWords(from)} to {endWords(to)}
        </caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{path || 'state'}</th>
              <td>
                <ShownValue shown={before} />
              </td>
              <td>
                <ShownValue shown={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  )
}

export function Scrolling({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section className="scrolling" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
