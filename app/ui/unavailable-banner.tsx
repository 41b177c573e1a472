import { heldIn } from '../words/unavailable.ts'
import { Banner } from './banner.tsx'

/** For pages of several forms: why the last one was not even tried. */
export function HeldBanner({ said }: { said: unknown }) {
  const held = heldIn(said)
  return held ? (
    <Banner tone="alarm" live>
      <p>{held.error}</p>
    </Banner>
  ) : null
}
