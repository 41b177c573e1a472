import { useSearchParams } from '@remix-run/react'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../../domain/profile/limits.ts'
import type { CostliestFilter } from '../../../../projections/discover/queries.ts'
import { LinkButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/card.tsx'
import { distanceWords, type ShownFilters } from '../filter-words.ts'
import { UndoForm, type UndoProps } from './undo-form.tsx'

type EmptyDeckProps = UndoProps & { costliest: CostliestFilter | null; filters: ShownFilters; hasLocation: boolean }

/** States honestly that nobody is left, names the filter that costs most, and widens it with one tap (ruling R34). Who named no place is asked for that first. */
export function EmptyDeck({ costliest, filters, hasLocation, undoable, onUndo }: EmptyDeckProps) {
  const [search] = useSearchParams()
  const widened = costliest && new URLSearchParams([...search, ...open(costliest.filter)])
  return (
    <div className="deck-empty" tabIndex={-1}>
      <EmptyState
        icon="compass"
        title={costliest ? 'Nobody fits all of this right now' : 'You have seen everyone for now'}
        action={
          <div className="row deck-empty-actions">
            {costliest && widened ? (
              <LinkButton
                to={`/discover?${dedupe(widened)}`}
                tone={hasLocation ? 'primary' : 'secondary'}
                preventScrollReset
              >
                {`Open ${NAMES[costliest.filter]}: ${costliest.wouldShow} more`}
              </LinkButton>
            ) : null}
            {undoable ? <UndoForm undoable={undoable} onUndo={onUndo} wide /> : null}
          </div>
        }
      >
        {costliest ? (
          <p>{reason(costliest.filter, filters)}</p>
        ) : (
          <p>New people join every day, and those you skipped come back in time. Look in again later.</p>
        )}
      </EmptyState>
    </div>
  )
}

const NAMES: Record<CostliestFilter['filter'], string> = {
  age: 'the ages',
  distance: 'the distance',
  vibe: 'the vibe',
  interests: 'the interests',
}

function reason(filter: CostliestFilter['filter'], filters: ShownFilters): string {
  switch (filter) {
    case 'age':
      return `Ages ${filters.ageMin} to ${filters.ageMax} leave out most people around you.`
    case 'distance':
      return `${distanceWords(filters.distanceMiles)} leaves out most people who would fit.`
    case 'vibe':
      return 'The vibe you filter by leaves out most people around you.'
    case 'interests':
      return 'The interests you filter by leave out most people around you.'
  }
}

function open(filter: CostliestFilter['filter']): [string, string][] {
  switch (filter) {
    case 'age':
      return [
        ['ageMin', String(MIN_AGE)],
        ['ageMax', String(MAX_AGE)],
      ]
    case 'distance':
      return [['distanceMiles', String(MAX_DISTANCE_MILES)]]
    default:
      return [[filter, '']]
  }
}

/** The last value of each name. */
function dedupe(search: URLSearchParams): string {
  return new URLSearchParams(Object.fromEntries(search)).toString()
}
