import { useToast } from '../../../ui/feedback/toast.tsx'
import { Menu, MenuButton, MenuLink } from '../../../ui/menu.tsx'
import { dayWords, type LaidMessage } from '../messages.ts'
import './message-menu.css'

type MessageMenuProps = {
  message: Pick<LaidMessage, 'id' | 'text' | 'time' | 'wall' | 'deleted'>
  tabbable: boolean
  /** Whom a report of it is about; null for one's own. */
  report: string | null
}

/** What can be done with a message, and when it was written. */
export function MessageMenu({ message, tabbable, report }: MessageMenuProps) {
  const { id, text, time, wall, deleted } = message
  const at = wall.slice(11, 16)
  return (
    <Menu label={`Message options, ${at}`} tabIndex={tabbable ? undefined : -1}>
      {(isOpen) => (
        <>
          <p className="message-time soft small">
            <time dateTime={time}>{isOpen ? `${dayWords(wall.slice(0, 10), '')}, ${at}` : at}</time>
          </p>
          {isOpen && text && !deleted ? <Copy text={text} /> : null}
          {report && !deleted ? (
            <MenuLink to={`/report/${report}?message=${id}`} icon="flag" tone="alarm">
              Report
            </MenuLink>
          ) : null}
        </>
      )}
    </Menu>
  )
}

function Copy({ text }: { text: string }) {
  const toast = useToast()
  const copy = async (menu: HTMLDetailsElement | null) => {
    menu?.querySelector('summary')?.focus()
    menu?.removeAttribute('open')
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    toast(copied ? { text: 'Copied.' } : { text: 'The browser does not let this page copy.', tone: 'alarm' })
  }
  return (
    <MenuButton icon="copy" onClick={({ currentTarget }) => void copy(currentTarget.closest('details'))}>
      Copy
    </MenuButton>
  )
}
