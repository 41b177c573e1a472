import { LinkButton } from '../button.tsx'
import { useGoBack } from './use-go-back.ts'

/** The bar of a page about one action upon somebody; on a phone with the way back, `back` where the browser knows none. */
export function ActionBar({ title, back }: { title: string; back: string }) {
  const goBack = useGoBack()
  return (
    <header className="page-bar">
      <h1>{title}</h1>
      <LinkButton to={back} icon="arrow-left" className="page-back to-tablet" onClick={goBack}>
        Back
      </LinkButton>
    </header>
  )
}
