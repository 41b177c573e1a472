import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import './new-pill.css'

type NewPillProps = { news: { count: number; lead: () => void } }

/** How many messages came below what the reader looks at; leads to the first of them. */
export function NewPill({ news: { count, lead } }: NewPillProps) {
  if (count === 0) return null
  return (
    <Button
      type="button"
      tone="primary"
      className="new-pill"
      onClick={lead}
      aria-label={`${count} new ${count === 1 ? 'message' : 'messages'}`}
    >
      {count} new <Icon name="chevron-down" size="s" />
    </Button>
  )
}
