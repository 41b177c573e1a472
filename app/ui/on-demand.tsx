import { type ComponentType, lazy, Suspense } from 'react'
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
