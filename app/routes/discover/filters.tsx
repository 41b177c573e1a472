import { Form, useFetcher, useLocation, useSearchParams } from '@remix-run/react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { LOOKING_FOR, LOOKING_FOR_LABELS, PRIVATE_VIBE_LABELS, PRIVATE_VIBES } from '../../../domain/profile/choices.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import { RangePair } from '../../forms/range-pair.tsx'
import { Select } from '../../forms/select.tsx'
import { useAskedForm } from '../../forms/use-asked-form.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { useRefusalToast } from '../../ui/feedback/use-refusal-toast.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import type { DiscoverReply } from './reply.ts'
import './filters.css'

export type ShownFilters = { ageMin: number; ageMax: number; distanceMiles: number; vibe: string | null }
const DISTANCES = [0, 2, 5, 10, 25, 50, 100, 250, MAX_DISTANCE_MILES]

/** The words of a distance filter: 0 is the nearest step, 1000 no limit (ruling R8). */
export function distanceWords(miles: number): string {
  if (miles === 0) return 'Right around here'
  return miles >= MAX_DISTANCE_MILES ? '1000+ miles' : `${miles} ${miles === 1 ? 'mile' : 'miles'}`
}

const publicVibes = LOOKING_FOR.map((value) => ({ value, label: LOOKING_FOR_LABELS[value] }))
const privateVibes = PRIVATE_VIBES.map((value) => ({ value, label: PRIVATE_VIBE_LABELS[value] }))

type FiltersProps = { filters: ShownFilters; on: boolean; myVibe: string | undefined; commandId: string }

/** The bar above the deck: my vibe, the filters behind one button, marked while they are `on`, and a fresh look. */
export function Filters({ filters, on, myVibe, commandId }: FiltersProps) {
  return (
    <div className="deck-bar">
      <VibeForm myVibe={myVibe} commandId={commandId} />
      <details className="deck-filters" {...useFold()}>
        <summary className="button button-secondary" {...(on && { 'aria-label': 'Filters, on' })}>
          <Icon name="sliders-horizontal" /> <span className="from-tablet">Filters</span>
          <span className="to-tablet visually-hidden">Filters</span>
          {on ? <span className="filters-on" /> : null}
        </summary>
        <FilterForm filters={filters} />
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

/**
 * 'My vibe' is a field of one's own profile (spec 1 §4): it is saved as soon as it is chosen, whatever else the page does
 * meanwhile. Each choice is a command of its own.
 */
function VibeForm({ myVibe, commandId }: Pick<FiltersProps, 'myVibe' | 'commandId'>) {
  const fetcher = useFetcher<DiscoverReply>()
  const select = useStored(myVibe, fetcher.data)
  useRefusalToast(fetcher.data)
  const save = (vibe: string) =>
    fetcher.submit({ intent: 'vibe', live: 'yes', commandId: crypto.randomUUID(), vibe }, { method: 'post' })
  return (
    <Form method="post" className="vibe-form" data-drafts="none" preventScrollReset>
      <input type="hidden" name="intent" value="vibe" />
      <input type="hidden" name="commandId" value={commandId} />
      <label htmlFor="my-vibe">My vibe</label>
      <span className="select">
        <select
          ref={select}
          id="my-vibe"
          name="vibe"
          className="input"
          defaultValue={myVibe}
          key={myVibe}
          onChange={(event) => save(event.currentTarget.value)}
        >
          <VibeOptions />
        </select>
        <Icon name="chevron-down" />
      </span>
      <noscript>
        <Button>Save</Button>
      </noscript>
    </Form>
  )
}

/** A choice that was refused gives way to what is stored. */
function useStored(stored: string | undefined, reply: DiscoverReply | undefined) {
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (select.current && reply && !reply.done) select.current.value = stored ?? ''
  }, [reply, stored])
  return select
}

function VibeOptions() {
  return (
    <>
      <optgroup label="Public">
        {publicVibes.map((vibe) => (
          <option key={vibe.value} value={vibe.value}>
            {vibe.label}
          </option>
        ))}
      </optgroup>
      <optgroup label="Private, shown to matches">
        {privateVibes.map((vibe) => (
          <option key={vibe.value} value={vibe.value}>
            {vibe.label}
          </option>
        ))}
      </optgroup>
    </>
  )
}

function FilterForm({ filters }: { filters: ShownFilters }) {
  const [search] = useSearchParams()
  const { form, round } = useAskedForm(search.toString())
  const distances = [...new Set([...DISTANCES, filters.distanceMiles])].sort((a, b) => a - b)
  return (
    <Form method="get" action="/discover" className="card stack deck-filter-form" ref={form}>
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
        choices={[...publicVibes, ...privateVibes]}
      />
      <div className="row">
        <Button tone="primary">Show people</Button>
        <LinkButton to="/discover" tone="quiet">
          Clear
        </LinkButton>
      </div>
    </Form>
  )
}
