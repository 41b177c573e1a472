import { Form, useLocation, useSearchParams } from '@remix-run/react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import { OFFERED_MILES } from '../../../domain/profile/offered.ts'
import { RangePair } from '../../forms/range-pair.tsx'
import { Select } from '../../forms/select.tsx'
import { useAskedForm } from '../../forms/use-asked-form.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { NO_FILTERS } from './deck-filters.ts'
import { OWN_VIBES, PUBLIC_VIBES, VibeForm } from './vibe-form.tsx'
import './filters.css'

export type ShownFilters = { ageMin: number; ageMax: number; distanceMiles: number; vibe: string | null }
const DISTANCES = [0, 2, 5, 10, 25, 50, 100, 250, MAX_DISTANCE_MILES]

/** The words of a distance filter: 0 is the nearest step, 1000 no limit (ruling R8). */
export function distanceWords(miles: number): string {
  if (miles === 0) return 'Right around here'
  return miles >= MAX_DISTANCE_MILES ? '1000+ miles' : `${miles} ${miles === 1 ? 'mile' : 'miles'}`
}

type FiltersProps = {
  filters: ShownFilters
  on: boolean
  /** The search of the deck that is offered to who chose nothing. */
  offered: string | null
  myVibe: string | undefined
  commandId: string
}

/** The bar above the deck: my vibe, the filters behind one button, marked while they are `on`, and a fresh look. */
export function Filters({ filters, on, offered, myVibe, commandId }: FiltersProps) {
  return (
    <div className="deck-bar">
      <VibeForm myVibe={myVibe} commandId={commandId} />
      <details className="deck-filters" {...useFold()}>
        <summary className="button button-secondary" {...(on && { 'aria-label': 'Filters, on' })}>
          <Icon name="sliders-horizontal" /> <span className="from-tablet">Filters</span>
          <span className="to-tablet visually-hidden">Filters</span>
          {on ? <span className="filters-on" /> : null}
        </summary>
        <FilterForm filters={filters} offered={offered} />
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

/** From the bare address it takes that one's place: going back never leads to one that leads on to the filters again. */
function FilterForm({ filters, offered }: Pick<FiltersProps, 'filters' | 'offered'>) {
  const [search] = useSearchParams()
  const { form, round } = useAskedForm(search.toString())
  const distances = [...new Set([...DISTANCES, filters.distanceMiles])].sort((a, b) => a - b)
  return (
    <Form
      method="get"
      action="/discover"
      className="card stack deck-filter-form"
      replace={search.size === 0}
      ref={form}
    >
      {offered ? (
        <LinkButton to={`/discover?${offered}`} icon="sparkles" replace={search.size === 0}>
          {`About my age, within ${distanceWords(OFFERED_MILES)}`}
        </LinkButton>
      ) : null}
      <RangePair
        key={`age-${round}`}
        legend="Age"
        names={['ageMin', 'ageMax']}
        min={MIN_AGE}
        max={MAX_AGE}
        value={[filters.ageMin, filters.ageMax]}
      />
      <Select
        key={`distance-${round}`}
        label="Distance"
        name="distanceMiles"
        defaultValue={String(filters.distanceMiles)}
        choices={distances.map((miles) => ({ value: String(miles), label: distanceWords(miles) }))}
      />
      <Select
        key={`vibe-${round}`}
        label="Vibe"
        name="vibe"
        optional
        defaultValue={filters.vibe ?? ''}
        placeholder="Any"
        choices={[...PUBLIC_VIBES, ...OWN_VIBES]}
      />
      <div className="row">
        <Button tone="primary">Show people</Button>
        <LinkButton to={NO_FILTERS} tone="quiet">
          Clear
        </LinkButton>
      </div>
    </Form>
  )
}
