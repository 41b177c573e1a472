import { useEffect, useState } from 'react'
import { useRoot } from '../shell/use-shell.ts'
import { relativeTime } from '../words/relative-time.ts'

const REFRESH_MS = 30_000

/** 'Just now', '5m ago': by the server's time in the first render, then kept up to date. `at` is ISO. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const served = useRoot()?.now ?? at
  const [now, setNow] = useState(served)
  useEffect(() => {
    const tick = () => setNow(new Date().toISOString())
    tick()
    const timer = setInterval(tick, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} className={className}>
      {relativeTime(at, now)}
    </time>
  )
}
