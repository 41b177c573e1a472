import { useEffect, useRef, useState } from 'react'

/** A browser may answer at any time: only the position that is still asked for is sent. */
export function useLocate(send: (fields: Record<string, string>) => void) {
  /** Whether it is asked, or why there is none. */
  const [state, setState] = useState<boolean | string>(false)
  const asked = useRef(0)
  /** A town is given instead. */
  function cancel(): void {
    asked.current++
    setState(false)
  }
  async function locate(): Promise<void> {
    setState(true)
    const own = ++asked.current
    const found = await import('./locate.ts').then(
      (part) => part.locate(),
      () => 'Type your town instead.',
    )
    if (own !== asked.current) return
    const isFound = typeof found === 'object'
    setState(!isFound && found)
    if (isFound) send({ intent: 'place', ...found })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the same each time.
  useEffect(() => cancel, [])
  return { locate, locating: state === true, failed: typeof state === 'string' ? state : null, cancel }
}
