import { useNavigation, useRevalidator } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { loadSheetsAgain } from './sheets-again.ts'

const WAITS_MS = [2_000, 5_000, 15_000] as const

/**
 * Reads a page that failed again by itself, ever later, and at once when the browser is online again. One that was not
 * answered is read for as long as it is open; a fault of the product a few times.
 */
export function useReadAgain(why: 'unanswered' | 'fault' | null): void {
  const { revalidate, state } = useRevalidator()
  const isIdle = useNavigation().state === 'idle' && state === 'idle'
  const [times, setTimes] = useState(0)
  // Whatever took its place.
  useEffect(() => loadSheetsAgain, [])
  useEffect(() => {
    if (why === null || !isIdle) return
    const read = () => {
      setTimes((before) => before + 1)
      revalidate()
    }
    const wait = WAITS_MS[times] ?? (why === 'unanswered' ? WAITS_MS[2] : null)
    const timer = wait === null ? undefined : setTimeout(read, wait)
    window.addEventListener('online', read)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', read)
    }
  }, [why, isIdle, times, revalidate])
}
