import type { ShouldRevalidateFunction } from '@remix-run/react'

const NAME = 'quiet'

/** Fields of a form that changes nothing of what the page and its frame have read. */
export const QUIET = { [NAME]: 'yes' }

/** For a route's `shouldRevalidate`: after such a form nothing is read again. */
export const readsAgain: ShouldRevalidateFunction = ({ formData, defaultShouldRevalidate }) =>
  formData?.get(NAME) === 'yes' ? false : defaultShouldRevalidate
