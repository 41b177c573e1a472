import { Form, Link, useSearchParams } from '@remix-run/react'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import { OFFERED_MILES } from '../../../domain/profile/offered.ts'
import { RangePair } from '../../forms/range-pair.tsx'
import { Select } from '../../forms/select.tsx'
import { useAskedForm } from '../../forms/use-asked-form.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { NO_FILTERS } from './deck-filters.ts'
import { distanceWords, type ShownFilters } from './filter-words.ts'
import { vibeFilters } from './vibe-choices.ts'

const DISTANCES = [0, 2, 5, 10, 25, 50, 100, 250, MAX_DISTANCE_MILES]

type FilterFormProps = {
  filters: ShownFilters
  /** The search of the deck that is offered to who chose nothing. */
  offered: string | null
  myVibe: string | undefined
  /** The town that distances come from; null without a location, empty where no town is near. */
  near: string | null
}

/** From the bare address it takes that one's place: going back never leads to one that leads on to the filters again. */
export function FilterForm({ filters, offered, myVibe, near }: FilterFormProps) {
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
      {near === null ? null : (
        <p className="soft small">
          Distances are from {near || 'where your browser said you are'} ·{' '}
          <Link to="/settings/location">
            Change<span className="visually-hidden"> where distances are from</span>
          </Link>
        </p>
      )}
      <Select
        key={`vibe-${round}`}
        label="Vibe"
        name="vibe"
        optional
        defaultValue={filters.vibe ?? ''}
        placeholder="Any"
        choices={vibeFilters(myVibe)}
        help="A private vibe is a filter for members who chose it as their own."
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
