import { type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { bannerLook } from '../ui/feedback/banner.tsx'
import { Icon } from '../ui/picture/icon.tsx'
import { type FieldError, sentences } from './field.tsx'
import './error-summary.css'

type ErrorSummaryProps = {
  form: {
    /** Field id to what is wrong with it. The empty key is for the form as a whole. */
    errors?: Readonly<Record<string, FieldError>> | null | undefined
    /** What the form got back; the same errors once more are another reply. */
    reply?: { readonly unavailable?: true | undefined } | null | undefined
  }
}

function title(count: number): string {
  return count === 1 ? 'One thing needs another look' : `${count} things need another look`
}

/** An address with another fragment is a navigation, and takes the reply with it: script goes to the field itself. */
function goTo(id: string, event: MouseEvent): void {
  const field = document.getElementById(id)
  if (!field) return
  event.preventDefault()
  field.scrollIntoView()
  field.focus({ preventScroll: true })
}

/** The groups that were answered since the reply: what was wrong with one goes with its first change (`useAnswered`). */
function useAnsweredGroups(box: RefObject<HTMLElement>, reply: unknown): readonly string[] {
  const [answered, setAnswered] = useState<{ reply: unknown; ids: readonly string[] }>({ reply, ids: [] })
  const ids = answered.reply === reply ? answered.ids : []
  useEffect(() => {
    const form = box.current?.closest('form')
    const note = ({ target }: Event) => {
      const group = (target as Element).closest('fieldset.field')
      if (group) setAnswered((before) => ({ reply, ids: [...(before.reply === reply ? before.ids : []), group.id] }))
    }
    form?.addEventListener('input', note)
    return () => form?.removeEventListener('input', note)
  }, [box, reply])
  return ids
}

/** Counts the errors at the top of a form and links to each field, until it is answered; takes the focus with each reply. */
export function ErrorSummary({ form: { errors, reply } }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const answered = useAnsweredGroups(box, reply)
  const entries = Object.entries(errors ?? {}).filter(
    ([id, error]) => sentences(error).length > 0 && !answered.includes(id),
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reply takes the focus, also with the same words
  useEffect(() => box.current?.focus(), [reply])
  if (entries.length === 0) return null
  return (
    <div className={bannerLook('alarm')} role="alert" tabIndex={-1} ref={box}>
      <Icon name="circle-alert" />
      <div>
        {reply?.unavailable ? null : <p className="banner-title">{title(entries.length)}</p>}
        <ul className="error-list">
          {entries.map(([id, error]) => (
            <li key={id}>
              {id === '' ? (
                sentences(error).join(' ')
              ) : (
                <a href={`#${id}`} onClick={(event) => goTo(id, event)}>
                  {sentences(error).join(' ')}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
