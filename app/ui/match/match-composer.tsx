import { useFetcher, useNavigate } from '@remix-run/react'
import { type FormEvent, type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { MESSAGE_MAX } from '../../../domain/pair/limits.ts'
import { lengthOf, tidy } from '../../../domain/shared/text.ts'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { useLive } from '../../live/use-live.tsx'
import { Owner } from '../../shell/owner.tsx'
import { CHAT_WORDS } from '../../words/pair-words.ts'
import { IconButton } from '../button.tsx'
import type { MatchView } from './match-view.ts'
import './match-composer.css'

/** Longer names have no room in the box of a narrow phone. */
const NAME_FITS = 10

type MatchComposerProps = {
  match: MatchView
  reply?: FormReply | undefined
  box: RefObject<HTMLTextAreaElement>
  /** The message is on its way, and the conversation shows it. */
  onSent?: () => void
}

/**
 * Writes the first message, and leads to the conversation, which shows what becomes of it. Without script, or before the
 * page is live, the form of the conversation itself; one that is refused stays here with its words.
 */
export function MatchComposer({ match: { other, roomId, messageId }, reply, box, onSent }: MatchComposerProps) {
  const fetcher = useFetcher<FormReply>()
  const [isTooLong, setTooLong] = useState(false)
  const error = isTooLong ? CHAT_WORDS['too-long'].error : errorIn(fetcher.data ?? reply)
  const outbox = useLive()?.outbox
  const navigate = useNavigate()
  const id = useId()

  function submit(event: FormEvent<HTMLFormElement>): void {
    const text = tidy(box.current?.value ?? '')
    const isOver = lengthOf(text) > MESSAGE_MAX
    setTooLong(isOver)
    const isReady = !isOver && text !== ''
    if (isReady && !outbox) return
    event.preventDefault()
    if (!isReady || !outbox) return
    outbox.send({ to: other.id, roomId, text })
    if (box.current) box.current.value = ''
    onSent?.()
    navigate(`/chat/${other.id}`)
  }

  return (
    <fetcher.Form
      method="post"
      action={`/chat/${other.id}`}
      className="match-composer"
      data-drafts="action"
      onSubmit={submit}
    >
      <Owner />
      <input type="hidden" name="id" value={messageId} />
      <label className="visually-hidden" htmlFor={id}>
        Message to {other.firstName}
      </label>
      <textarea
        ref={box}
        id={id}
        name="text"
        rows={1}
        className="match-text"
        defaultValue={reply?.values.text?.[0]}
        placeholder={other.firstName.length > NAME_FITS ? 'Say something' : `Say something to ${other.firstName}`}
        onKeyDown={sendByEnter}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        required
      />
      <IconButton type="submit" icon="send" label="Send" tone="primary" />
      {error ? (
        <p id={`${id}-error`} className="match-error" role="alert">
          {error}
        </p>
      ) : null}
    </fetcher.Form>
  )
}

/** On a phone Enter starts a new line, as everywhere there. */
function sendByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const sends = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
  if (!sends || matchMedia('(pointer: coarse)').matches) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

/** Writes a sentence into the box: after what was typed, and in the place of another opener. True when it could. */
export function fillIn(box: HTMLTextAreaElement | null, sentence: string, openers: readonly string[]): boolean {
  if (!box) return false
  const before = openers.find((opener) => box.value.endsWith(opener)) ?? ''
  const typed = box.value.slice(0, box.value.length - before.length).trimEnd()
  box.value = typed ? `${typed} ${sentence}` : sentence
  box.focus()
  return true
}
