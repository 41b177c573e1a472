import type { ShouldRevalidateFunction } from '@remix-run/react'

/** For a route's `shouldRevalidate`: a form with a field `quiet` changes nothing of what the page and its frame have read. */
export const readsAgain: ShouldRevalidateFunction = ({ formData, defaultShouldRevalidate }) =>
  !formData?.has('quiet') && defaultShouldRevalidate
