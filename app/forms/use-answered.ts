import { useState } from 'react'
import type { FieldError } from './field.tsx'

/** What is wrong with a group until its first change, which answers it. The same words of the next reply are another error. */
export function useAnswered(error: FieldError) {
  const [answered, setAnswered] = useState<FieldError>(null)
  return { error: error === answered ? null : error, onChange: () => setAnswered(error) }
}
