import { Form } from '@remix-run/react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useClosing } from '../overlays/use-closing.ts'
import { Icon } from '../picture/icon.tsx'
import { topOf } from './reaction-counts.ts'
import { useLongPress } from './use-long-press.ts'
import './reaction-bar.css'

export type Reaction = { value: string; sign: string; label: string }

type ReactionBarProps = {
  /** The first is the one that a short press means. */
  reactions: readonly Reaction[]
  /** The member's own. */
  mine: string | null
  /** Reaction to how many chose it. */
  counts: Readonly<Record<string, number>>
  /** Where the choice goes as `reaction`; empty takes it back. */
  action: string
  method?: 'get' | 'post'
  /** Further hidden fields, such as whose post it is. */
  children?: ReactNode
}

/**
 * One reaction of each member: a short press gives the first or takes one's own back, a long one (spec 2 §9), the arrow
 * up or the button beside it opens all. Every one is a button of a form in a `<details>`, so it needs no script.
 */
export function ReactionBar({ reactions, mine, counts, action, method = 'post', children }: ReactionBarProps) {
  const details = useRef<HTMLDetailsElement>(null)
  useClosing(details)
  function open(): void {
    const { current: box } = details
    if (!box) return
    box.open = true
    const choices = box.querySelectorAll<HTMLElement>('.reaction-choice')
    const own = [...choices].find((one) => one.getAttribute('aria-pressed') === 'true')
    ;(own ?? choices[0])?.focus({ preventScroll: true })
  }
  const press = useLongPress(open, release)
  const main = useRef<HTMLButtonElement>(null)
  function close(): void {
    if (!details.current?.open) return
    details.current.open = false
    main.current?.focus({ preventScroll: true })
  }
  const first = reactions.find(({ value }) => value === mine) ?? reactions[0]!
  return (
    <Form method={method} action={action} className="reactions" onSubmit={close} preventScrollReset>
      {children}
      <button
        ref={main}
        type="submit"
        className="reaction-main"
        name="reaction"
        value={mine === null ? first.value : ''}
        aria-pressed={mine !== null}
        {...press}
      >
        <span aria-hidden="true" className="reaction-sign">
          {first.sign}
        </span>
        {first.label}
      </button>
      <details className="reaction-picker" ref={details}>
        <summary className="icon-button icon-button-plain" title="All reactions">
          <Icon name="smile" label="All reactions" />
        </summary>
        <Choices reactions={reactions} mine={mine} />
      </details>
      <Counts reactions={reactions} counts={counts} />
    </Form>
  )
}

/** A finger that is still down after a long press chooses where it is lifted. */
function release(x: number, y: number): void {
  document.elementFromPoint(x, y)?.closest<HTMLElement>('.reaction-choice')?.click()
}

/** The arrows lead from one to the next, and round. */
function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
  if (!step) return
  event.preventDefault()
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  all[(at + step + all.length) % all.length]?.focus()
}

function Choices({ reactions, mine }: Pick<ReactionBarProps, 'reactions' | 'mine'>) {
  return (
    <fieldset className="reaction-choices" aria-label="Reactions" onKeyDown={onArrow}>
      {reactions.map(({ value, sign, label }) => (
        <button
          key={value}
          type="submit"
          className="reaction-choice"
          name="reaction"
          value={value}
          aria-pressed={value === mine}
          aria-label={label}
          title={label}
        >
          {sign}
        </button>
      ))}
      {mine === null ? null : (
        <button type="submit" className="reaction-remove" name="reaction" value="">
          Remove
        </button>
      )}
    </fieldset>
  )
}

function Counts({ reactions, counts }: Pick<ReactionBarProps, 'reactions' | 'counts'>) {
  const { total, top } = topOf(reactions, counts)
  if (total === 0) return null
  const words = top.map(({ value, label }) => `${counts[value]} ${label}`).join(', ')
  return (
    <p className="reaction-counts">
      <span aria-hidden="true">
        {top.map(({ sign }) => sign).join('')} <span className="tabular">{total}</span>
      </span>
      <span className="visually-hidden">
        {total} {total === 1 ? 'reaction' : 'reactions'}: {words}
      </span>
    </p>
  )
}
