import { unavailableIn } from '../../words/unavailable.ts'
import { Banner } from './banner.tsx'

/** For pages of several forms: why the last one was not even tried, unless that one shows it itself. */
export function UnavailableBanner({ reply }: { reply: unknown }) {
  const unavailable = unavailableIn(reply)
  return unavailable?.error ? (
    <Banner tone="alarm" live>
      <p>{unavailable.error}</p>
    </Banner>
  ) : null
}
