import { useLocation } from '@remix-run/react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { FilterForm } from './filter-form.tsx'
import type { ShownFilters } from './filter-words.ts'
import { folded } from './folded.tsx'
import { VibeForm } from './vibe-form.tsx'
import './filters.css'

const FoldedForm = folded({
  drawn: import.meta.env.SSR && FilterForm,
  load: async () => (await import('./filter-form.tsx')).FilterForm,
  panel: 'card stack deck-filter-form',
})

type FiltersProps = {
  filters: ShownFilters
  isFiltered: boolean
  /** The search of the deck that is offered to who chose nothing. */
  offered: string | null
  myVibe: string | undefined
  /** The town that distances come from; null without a location, empty where no town is near. */
  near: string | null
  /** A banner has what the filters lost with the last vibe. */
  isVibeClosed: boolean
  commandId: string
}

/** The bar above the deck: my vibe, the filters behind one button, marked while they filter, and a fresh look. */
export function Filters({ filters, isFiltered, offered, myVibe, near, isVibeClosed, commandId }: FiltersProps) {
  return (
    <div className="deck-bar">
      <VibeForm myVibe={myVibe} isVibeClosed={isVibeClosed} commandId={commandId} />
      <details className="deck-filters" {...useFold()}>
        <summary className="button button-secondary" {...(isFiltered && { 'aria-label': 'Filters, on' })}>
          <Icon name="sliders-horizontal" /> <span className="from-tablet">Filters</span>
          <span className="to-tablet visually-hidden">Filters</span>
          {isFiltered ? <span className="filters-on" /> : null}
        </summary>
        <FoldedForm filters={filters} offered={offered} myVibe={myVibe} near={near} />
      </details>
      <LinkButton to="." tone="quiet" icon="refresh-cw" reloadDocument>
        <span className="from-tablet">Refresh</span>
        <span className="to-tablet visually-hidden">Refresh</span>
      </LinkButton>
    </div>
  )
}

/** Folds up on Escape, and once the people asked for are shown; the focus goes back to the button. */
function useFold() {
  const ref = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  const close = () => {
    const [fold, focused] = [ref.current, document.activeElement]
    if (!fold?.open) return
    if (fold.contains(focused) || focused === document.body) fold.querySelector('summary')?.focus()
    fold.open = false
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer to the form is a new page
  useEffect(close, [key])
  return { ref, onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && close() }
}
