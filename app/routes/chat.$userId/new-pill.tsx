import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import type { StoredMessage } from './known-messages.ts'
import './new-pill.css'

const ABOVE_PX = 12
const topOf = (element: Element) => element.getBoundingClientRect().top

type NewPillProps = {
  news: readonly StoredMessage[]
  box: RefObject<HTMLElement>
  /** Shows the newest message. */
  follow: () => void
}

/** How many messages came below what the reader looks at; leads to the first of them. */
export function NewPill({ news, box, follow }: NewPillProps) {
  const lead = () => {
    flushSync(follow)
    const { current } = box
    const first = current?.querySelector(`[data-id="${CSS.escape(news[0]?.id ?? '')}"]`)
    current?.focus({ preventScroll: true })
    if (!first || !current) return
    current.scrollTop += topOf(first) - topOf(current) - ABOVE_PX
    // At once: what changes its size next would lead to the end of a box whose reader still follows.
    current.dispatchEvent(new Event('scroll'))
  }
  const label = `${news.length} new ${news.length === 1 ? 'message' : 'messages'}`
  return (
    <Button type="button" tone="primary" className="new-pill" onClick={lead} aria-label={label}>
      {news.length} new <Icon name="chevron-down" size="s" />
    </Button>
  )
}
