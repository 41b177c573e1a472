import { LinkButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import type { FilterNews } from './filter-news.server.ts'

/** What became of the filters of the address; the link leads to those that the deck has, where nothing is to be explained. */
export function FilterBanner({ filterNews }: { filterNews: FilterNews | null }) {
  if (!filterNews) return null
  const { text, to } = filterNews
  return (
    <Banner
      live
      action={
        <LinkButton to={to} replace>
          Keep these filters
        </LinkButton>
      }
    >
      <p>{text}</p>
    </Banner>
  )
}
