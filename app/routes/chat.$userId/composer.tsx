import { Form } from '@remix-run/react'
import { type FormEvent, type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { MESSAGE_MAX } from '../../../domain/pair/limits.ts'
import { lengthOf, tidy } from '../../../domain/shared/text.ts'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import type { RoomOutbox } from '../../live/use-chat.ts'
import { Owner, useOwner } from '../../shell/owner.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useRoomPath } from '../../ui/room-path.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { CHAT_WORDS } from '../../words/pair-words.ts'
import { keepTyped } from './typed.ts'
import './composer.css'

type ComposerProps = {
  page: { room: { roomId: string }; other: { id: string; firstName: string }; messageId: string; draft: string }
  outbox: RoomOutbox
  onTyping: (on: boolean) => void
  /** What a plain form came to. */
  reply: FormReply | undefined
}

/** Longer names have no room in the box of a narrow phone. */
const NAME_FITS = 16

/** Grows to six lines; Enter sends, Shift and Enter starts a new line. A plain form without script. */
export function Composer({ page, outbox, onTyping, reply }: ComposerProps) {
  const other = page.other.firstName
  const [tooLong, setTooLong] = useState(false)
  const error = tooLong ? CHAT_WORDS['too-long'].error : errorIn(reply)
  const area = useRef<HTMLTextAreaElement>(null)
  const hydrated = useHydrated()
  const address = useRoomPath(page.other.id)
  const { as = '' } = useOwner()
  const { roomId } = page.room
  useOpener(area, page.draft)
  // Typed before script ran, too.
  useEffect(() => keepTyped(as, roomId, area.current?.value ?? ''), [as, roomId])

  function submit(event: FormEvent<HTMLFormElement>): void {
    const box = area.current
    const text = tidy(box?.value ?? '')
    const over = lengthOf(text) > MESSAGE_MAX
    setTooLong(over)
    const sent = box && text !== '' && !over && outbox.send({ to: page.other.id, text })
    if (sent === null) return
    event.preventDefault()
    if (!sent) return
    box.value = ''
    keepTyped(as, roomId, '')
    onTyping(false)
    // A reload or the way back would write it once more.
    if (page.draft) history.replaceState(history.state, '', address)
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const sends = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
    if (!sends || matchMedia('(pointer: coarse)').matches) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  return (
    <>
      {error ? (
        <Banner tone="alarm" live>
          <p>{error}</p>
        </Banner>
      ) : null}
      <Form method="post" action={address} className="composer" onSubmit={submit} noValidate={hydrated}>
        <Owner />
        <input type="hidden" name="id" value={page.messageId} />
        <label className="visually-hidden" htmlFor="message">
          Message to {other}
        </label>
        <textarea
          ref={area}
          id="message"
          name="text"
          rows={1}
          className="input composer-text"
          placeholder={other.length > NAME_FITS ? 'Write a message' : `Write to ${other}`}
          defaultValue={reply?.values.text?.[0] ?? page.draft}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget: { value } }) => {
            keepTyped(as, roomId, value)
            onTyping(value !== '')
          }}
          required
        />
        <IconButton type="submit" icon="send" label="Send" tone="primary" onMouseDown={keepFocus} />
      </Form>
    </>
  )
}

/** A press on Send leaves the focus in the box, and with it a phone's keyboard open, for the next message. */
function keepFocus(event: MouseEvent): void {
  if (document.activeElement?.id === 'message') event.preventDefault()
}

/** Writes the sentence of the address into the box: after what was typed, and in the place of the one before it. */
function useOpener(area: RefObject<HTMLTextAreaElement>, opener: string): void {
  const written = useRef(opener)
  useEffect(() => {
    const [box, before] = [area.current, written.current]
    written.current = opener
    if (!opener || !box) return
    box.focus()
    if (opener === before) return
    const typed = box.value === before || box.value === opener ? '' : box.value.trimEnd()
    box.value = typed ? `${typed} ${opener}` : opener
  }, [area, opener])
}
