import type { ComponentType } from 'react'
import { onDemand } from '../../ui/on-demand.tsx'

/**
 * A part that is folded away at first: the server draws it for who has no script (`drawn`, which the script of the page is
 * built without), and with script it is loaded once the page works.
 */
export function folded<Props extends object>(
  drawn: ComponentType<Props> | false,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Drawn = drawn
  const Loaded = onDemand(load)
  return function Folded(props: Props) {
    return (
      <>
        <noscript>{Drawn ? <Drawn {...props} /> : null}</noscript>
        <Loaded {...props} />
      </>
    )
  }
}
