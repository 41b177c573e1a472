import { useEffect, useState } from 'react'

/** True once a value has been the same for so long; the first one counts from the start. */
export function useSettled(value: string, ms: number): boolean {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled === value
}
