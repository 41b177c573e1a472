import type { Room, Sender, Taken } from '../../../services/media/draft-room.ts'
import type { Channel } from '../channel.ts'

type Entered = { readonly id: number; readonly sender: Sender }
type Wanted = { readonly id: number; readonly bytes: number }

const [ENTER, TAKE, END] = ['room: enter', 'room: take', 'room: end'] as const

/** The room that files on their way to any worker share: the primary has it. Without an answer there is none. */
export function draftRoomOf(channel: Channel): Room {
  let last = 0
  return {
    enter(sender) {
      const id = ++last
      channel.note(ENTER, { id, sender } satisfies Entered)
      return {
        take: (bytes) => channel.ask<boolean>(TAKE, { id, bytes } satisfies Wanted).catch(() => false),
        end: () => channel.note(END, id),
      }
    },
  }
}

/** What a worker had when it died is free again: its files are removed by those that start after it. */
export function serveDraftRoom(channel: Channel, room: Room): () => void {
  const taken = new Map<number, Taken>()
  channel.on(ENTER, ({ id, sender }: Entered) => void taken.set(id, room.enter(sender)))
  channel.on(TAKE, ({ id, bytes }: Wanted) => taken.get(id)?.take(bytes) ?? false)
  channel.on(END, (id: number) => {
    taken.get(id)?.end()
    taken.delete(id)
  })
  return () => {
    for (const { end } of taken.values()) end()
    taken.clear()
  }
}
