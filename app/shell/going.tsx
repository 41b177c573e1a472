import { useFetchers, useNavigation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { underWay } from '../ui/under-way.ts'
import { SIGNOUT_FETCHER } from './shell.ts'
import './going.css'

/** Quicker than this nothing shows. */
const SLOW_MS = 150

/** Shows by a line at the top that the next page is on its way over a slow network; a sign-out leads to one too. */
export function Going() {
  const signingOut = useFetchers().some((one) => one.key === SIGNOUT_FETCHER && underWay(one) !== undefined)
  const going = useNavigation().state !== 'idle' || signingOut
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
