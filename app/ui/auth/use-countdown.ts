import { useEffect, useState } from 'react'

/** Whole seconds until `ms` have passed since `key` last changed; 0 without script. */
export function useCountdown(ms: number, key: unknown): number {
  const [left, setLeft] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key starts the time again
  useEffect(() => {
    const end = performance.now() + ms
    const tick = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [ms, key])
  return left
}
