import { Link } from '@remix-run/react'
import { ID_PATTERN } from '../../../domain/shared/id-pattern.ts'
import type { AuditValue } from '../../../projections/history/masking.ts'
import { classes } from '../classes.ts'
import { Icon } from '../picture/icon.tsx'
import { hiddenWords, textOfShown } from './words.ts'
import './shown-value.css'

/** A value of the log: clear, sealed, or erased. */
export function ShownValue({ shown }: { shown: AuditValue | null }) {
  if (shown === null) return <span className="soft">not there</span>
  if ('hidden' in shown)
    return (
      <span className={classes('sealed', shown.hidden === 'erased' && 'sealed-erased')}>
        <Icon name={shown.hidden === 'sealed' ? 'lock' : 'user-round-x'} />
        {hiddenWords(shown)}
      </span>
    )
  const text = textOfShown(shown)
  return <span className="mono value">{text === '' ? '“”' : text}</span>
}

/** An id as text that one press selects; a member's leads to the account. */
export function Id({ id, member = false }: { id: string; member?: boolean }) {
  if (member && ID_PATTERN.test(id))
    return (
      <Link className="mono id" to={`/audit/${id}`}>
        {id}
      </Link>
    )
  return <code className="mono id">{id}</code>
}
