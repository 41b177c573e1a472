import { useCallback, useEffect, useRef, useState } from 'react'
import { type DirectMessage, MESSAGE_IDS } from '../../realtime/protocol.ts'
import type { Outbox, Outgoing, OutgoingDraft } from './outbox.ts'
import { useLive, useLiveEvent, useLiveSignal } from './use-live.tsx'

const NONE: readonly Outgoing[] = []
/** A typing signal is worth this long, and is sent again a little sooner. */
const TYPING_MS = 5_000
const TYPING_AGAIN_MS = 3_000

export type RoomOutbox = {
  /** On their way or refused, oldest first. */
  readonly outgoing: readonly Outgoing[]
  /** Answers the message's id; null when there is no connection to send by, so that the form itself is sent. */
  send(draft: Omit<OutgoingDraft, 'roomId'>): string | null
  retry(id: string): void
  drop(id: string): void
}

/** What this page sends into a room; `shown` are the ids that the loader brought already. */
export function useOutbox(roomId: string, shown: readonly string[]): RoomOutbox {
  const live = useLive()
  const outbox = live?.outbox
  const entries = useEntries(outbox)
  useEffect(() => outbox?.arrived(shown), [outbox, shown])
  return {
    outgoing: entries.filter((entry) => entry.roomId === roomId),
    send: (draft) => outbox?.send({ ...draft, roomId }) ?? null,
    retry: useCallback((id: string) => outbox?.retry(id), [outbox]),
    drop: useCallback((id: string) => outbox?.drop(id), [outbox]),
  }
}

/** Set as state, so that a message leaves these in the same drawing that shows it as stored. */
function useEntries(outbox: Outbox | undefined): readonly Outgoing[] {
  const [entries, setEntries] = useState(() => outbox?.list() ?? NONE)
  useEffect(() => {
    if (!outbox) return
    const show = () => setEntries(outbox.list())
    show()
    return outbox.subscribe(show)
  }, [outbox])
  return entries
}

/** Messages of a room that came since the page opened it, oldest first; the loader brings them too, a little later. */
export function useLiveMessages(roomId: string): readonly DirectMessage[] {
  const [messages, setMessages] = useState<readonly DirectMessage[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another room begins empty.
  useEffect(() => setMessages([]), [roomId])
  useLiveEvent('direct:message', ({ data }) => {
    if (data.roomId === roomId) setMessages((before) => [...before, data].slice(-MESSAGE_IDS))
  })
  useLiveEvent('room:closed', ({ data }) => {
    if (data.roomId === roomId) setMessages([])
  })
  return messages
}

/** Sits in the room while the page shows it; typing reaches only who does. */
export function useRoom(roomId: string): void {
  const live = useLive()
  useEffect(() => live?.connection.join(roomId), [live, roomId])
}

/** Whether the other is typing, and how to signal that the member is. */
export function useTyping(roomId: string): { otherTypes: boolean; typing: (on: boolean) => void } {
  const live = useLive()
  const [otherTypes, setOtherTypes] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sentAt = useRef(0)
  useLiveSignal('typing', (data) => {
    if (data.roomId !== roomId) return
    clearTimeout(timer.current)
    setOtherTypes(data.on)
    if (data.on) timer.current = setTimeout(() => setOtherTypes(false), TYPING_MS)
  })
  useLiveEvent('direct:message', ({ data }) => {
    if (data.roomId === roomId) setOtherTypes(false)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const typing = useCallback(
    (on: boolean) => {
      const now = Date.now()
      if (on && now - sentAt.current < TYPING_AGAIN_MS) return
      sentAt.current = on ? now : 0
      live?.connection.emit('typing', { roomId, on })
    },
    [live, roomId],
  )
  return { otherTypes, typing }
}

/** Which of these members are online, beginning with what the loader returned. */
export function usePresence(online: readonly string[]): ReadonlySet<string> {
  const [members, setMembers] = useState<ReadonlySet<string>>(() => new Set(online))
  useLiveSignal('presence:online', ({ userId }) => setMembers((before) => new Set([...before, userId])))
  useLiveSignal('presence:offline', ({ userId }) =>
    setMembers((before) => new Set([...before].filter((member) => member !== userId))),
  )
  return members
}
