import { type ComponentType, useEffect, useState } from 'react'
import { reportLateForms } from '../../forms/late-forms.ts'
import { LinkButton } from '../../ui/button.tsx'

type Part<Props> = {
  /** What the server draws for who has no script; the script of the page is built without it. */
  readonly drawn: ComponentType<Props> | false
  readonly load: () => Promise<ComponentType<Props>>
  /** The looks of the panel that it comes in, for the words in its place; without it nothing stands there. */
  readonly panel?: string
  /** The windows that it is for, as a media query: others do not load it. */
  readonly media?: string
}

/**
 * A part that is folded away, or stands beside the page: with script it is loaded once the page works. Some browsers ask
 * only once for a script that did not come, so that the page has to be loaded again for it.
 */
export function folded<Props extends object>({ drawn, load, panel, media = 'all' }: Part<Props>): ComponentType<Props> {
  const Drawn = drawn
  const Missing = () => (
    <div className={panel} role="status">
      <p>This did not load.</p>
      <LinkButton to="." reloadDocument>
        Load the page again
      </LinkButton>
    </div>
  )
  return function Folded(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(null)
    useEffect(() => {
      const query = matchMedia(media)
      const look = () => {
        if (!query.matches) return
        load().then(
          (part) => setLoaded(() => part),
          () => panel && setLoaded(() => Missing),
        )
      }
      look()
      query.addEventListener('change', look)
      return () => query.removeEventListener('change', look)
    }, [])
    useEffect(() => {
      if (Loaded) reportLateForms()
    }, [Loaded])
    return (
      <>
        <noscript>{Drawn ? <Drawn {...props} /> : null}</noscript>
        {Loaded ? <Loaded {...props} /> : null}
      </>
    )
  }
}
