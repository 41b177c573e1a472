import type { ShouldRevalidateFunction } from '@remix-run/react'

/** A form that was not answered: what would be read after it would not be answered either. */
const FAILED = 500

/**
 * For a route's `shouldRevalidate`: a form with a field `quiet` changes nothing of what the page and its frame have read. Remix
 * itself reads again after one that failed, where a route decides by a function of its own.
 */
export const readsAgain: ShouldRevalidateFunction = ({ formData, actionStatus = 0, defaultShouldRevalidate }) =>
  !formData?.has('quiet') && actionStatus < FAILED && defaultShouldRevalidate
