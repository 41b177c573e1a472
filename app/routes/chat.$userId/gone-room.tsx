import { useEffect, useRef, useState } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { LastReply, LastWords } from '../../ui/feedback/last-reply.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { typedLast } from './typed.ts'

/** In place of the box to write in, where the other is gone: what was being written is there to be copied. */
export function GoneRoom({ me, room, reply }: { me: string; room: string; reply: FormReply | undefined }) {
  const note = useRef<HTMLParagraphElement>(null)
  const [words] = useState(() => typedLast(me, room))
  const isLater = useRef(useHydrated())
  useEffect(() => {
    if (isLater.current && isFocusLost()) note.current?.focus()
  }, [])
  return (
    <div className="room-closed">
      {errorIn(reply) ? <LastReply /> : null}
      <p className="soft" id="message" tabIndex={-1} ref={note}>
        This member is no longer here. What was said stays readable.
      </p>
      {words && !errorIn(reply) ? <LastWords text={words} /> : null}
    </div>
  )
}
