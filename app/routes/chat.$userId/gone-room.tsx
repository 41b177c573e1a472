import { useState } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { LastReply, LastWords } from '../../ui/feedback/last-reply.tsx'
import { useFocusInPlace } from '../../ui/feedback/use-focus-in-place.ts'
import { typedLast } from './typed.ts'

/** In place of the box to write in, where the other is gone: what was being written is there to be copied. */
export function GoneRoom({ me, room, reply }: { me: string; room: string; reply: FormReply | undefined }) {
  const [words] = useState(() => typedLast(me, room))
  useFocusInPlace('#message')
  return (
    <div className="room-closed">
      <LastReply />
      <p className="soft" id="message" tabIndex={-1}>
        This member is no longer here. What was said stays readable.
      </p>
      {words && !errorIn(reply) ? <LastWords text={words} /> : null}
    </div>
  )
}
