import { type KeyboardEvent, useState } from 'react'
import { Menu, MenuLink } from '../../../ui/menu.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import { FROM_ROOM } from '../../../ui/room-path.ts'
import { dayWords, type LaidMessage } from '../messages.ts'
import './message-menu.css'

const OpenMenu = onDemand(async () => (await import('./open-menu.tsx')).OpenMenu)

type MessageMenuProps = {
  message: Pick<LaidMessage, 'id' | 'text' | 'wall' | 'deleted'>
  tabbable: boolean
  /** Whom a report of it is about; null for one's own. */
  report: string | null
}

/** What can be done with a message, and when it was written. */
export function MessageMenu({ message, tabbable, report }: MessageMenuProps) {
  const { id, text, wall, deleted } = message
  const at = wall.slice(11, 16)
  const [isOpen, setOpen] = useState(false)
  return (
    <Menu
      label={`Message options, ${at}`}
      tabIndex={tabbable ? undefined : -1}
      onKeyDown={goOn}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      {isOpen ? (
        <OpenMenu at={`${dayWords(wall.slice(0, 10), '')}, ${at}`} text={deleted ? '' : text} />
      ) : (
        <p className="message-time soft small">{at}</p>
      )}
      {report && !deleted ? (
        <MenuLink to={`/report/${report}?message=${id}&${FROM_ROOM}`} icon="flag" tone="alarm">
          Report
        </MenuLink>
      ) : null}
    </Menu>
  )
}

/** The arrow keys go from message to message, once the menu of one has the focus. */
function goOn(event: KeyboardEvent): void {
  const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
  const menus = [...document.querySelectorAll<HTMLElement>('.message summary')]
  const from = menus.indexOf(event.target as HTMLElement)
  if (!step || from < 0) return
  event.preventDefault()
  menus[from + step]?.focus()
}
