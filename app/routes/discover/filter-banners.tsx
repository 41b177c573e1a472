import { PRIVATE_VIBES, type Vibe } from '../../../domain/profile/choices.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import type { ShownFilters } from './filter-words.ts'
import { vibeLabel } from './vibe-choices.ts'

type FilterBannersProps = { areTurned: boolean; closedVibe: Vibe | null; filters: ShownFilters }

/** What became of filters that the address has and the deck has not. */
export function FilterBanners({ areTurned, closedVibe, filters }: FilterBannersProps) {
  return (
    <>
      {areTurned ? (
        <Banner live>
          <p>{`The ages were swapped: these are people from ${filters.ageMin} to ${filters.ageMax}.`}</p>
        </Banner>
      ) : null}
      {closedVibe ? (
        <Banner live>
          <p>{`${reason(closedVibe)}, so people of any vibe are shown.`}</p>
        </Banner>
      ) : null}
    </>
  )
}

function reason(vibe: Vibe): string {
  const isPrivate = PRIVATE_VIBES.some((one) => one === vibe)
  if (!isPrivate) return 'That vibe is not open to you as a filter'
  return `Only members whose own vibe is ${vibeLabel(vibe)} can filter by it`
}
