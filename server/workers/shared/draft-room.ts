import type { Room, Sender, Taken } from '../../../services/media/draft-room.ts'
import type { Channel } from '../channel.ts'

type Entered = { readonly id: number; readonly sender: Sender }
type Wanted = { readonly id: number; readonly bytes: number }

const [ENTER, TAKE, END] = ['room: enter', 'room: take', 'room: end'] as const

/**
 * The room that files on their way to any worker share: the primary has it. Without an answer there is none, or as much as
 * there is `alone`.
 */
export function draftRoomOf(channel: Channel, alone?: Room): Room {
  const under = new Map<number, { readonly sender: Sender; bytes: number }>()
  let last = 0
  channel.onOpened(() => {
    for (const [id, { sender, bytes }] of under) {
      channel.note(ENTER, { id, sender } satisfies Entered)
      channel.note(TAKE, { id, bytes } satisfies Wanted)
    }
  })
  return {
    enter(sender) {
      const id = ++last
      const own = { sender, bytes: 0 }
      const here = alone?.enter(sender)
      under.set(id, own)
      channel.note(ENTER, { id, sender } satisfies Entered)
      return {
        async take(bytes) {
          if (here && !(await here.take(bytes))) return false
          const asked = channel.ask<boolean>(TAKE, { id, bytes } satisfies Wanted)
          const isRoom = await asked.catch(() => here !== undefined)
          if (isRoom) own.bytes += bytes
          return isRoom
        },
        end() {
          channel.note(END, id)
          under.delete(id)
          here?.end()
        },
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
