import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { useHydrated } from './use-hydrated.ts'

/** A part of pages that script alone shows, loaded once the page works; where it cannot be loaded, the page goes without. */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  // React types what is lazy by its refs, which no part has.
  const Part = lazy(async () => ({ default: await load().catch(() => Nothing) })) as unknown as ComponentType<Props>
  return function OnDemand(props: Props) {
    return useHydrated() ? (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    ) : null
  }
}

const Nothing = () => null

/** A part that takes the place of one that works without script, once it is loaded; null until then, and where it cannot be. */
export function useLoaded<Part>(load: () => Promise<Part>): Part | null {
  const [loaded, setLoaded] = useState<{ part: Part } | null>(null)
  useEffect(() => {
    load().then(
      (part) => setLoaded({ part }),
      () => undefined,
    )
  }, [load])
  return loaded?.part ?? null
}
