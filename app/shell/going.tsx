import { useNavigation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import './going.css'

/** Quicker than this nothing shows. */
const SLOW_MS = 150

/** Says by a line at the top that the next page is on its way over a slow network. */
export function Going() {
  const going = useNavigation().state !== 'idle'
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!going) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [going])
  return slow ? <span className="going" aria-hidden="true" /> : null
}
