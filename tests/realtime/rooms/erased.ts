import type { MemberId } from '../../../domain/shared/ids.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { RealtimeDeps } from '../../../realtime/deps.ts'
import { member, type TestNode, type World } from '../world.ts'

export async function eraseIn(world: World, ...members: readonly MemberId[]): Promise<void> {
  for (const who of members) {
    await world.join(who)
    await world.account('EraseAccount', who)
  }
}

/** Who resumes, and members whom nobody has to do with and who are erased since. */
export async function awayIn(world: World, name: string, gone = 3) {
  const me = member(name)
  const last = await world.match(me, member(`Match of ${name}`))
  const strangers = Array.from({ length: gone }, (_, n) => member(`Gone ${n} for ${name}`))
  await eraseIn(world, ...strangers)
  return { me, last, strangers }
}

/** The rooms whose end a member hears of who comes back from a position. */
export async function closedIn(world: World, node: TestNode, me: MemberId, last: Position) {
  const peer = await world.peer(node, me, { last })
  await peer.next('heartbeat')
  await peer.settled()
  peer.ws.terminate()
  return peer.events('room:closed').map(({ data }) => data.roomId)
}

/**
 * The rooms of the read model, as of a position; each is a page, which may have a position of its own. `asked`: whose rooms
 * were asked for; a node that starts asks for nobody's.
 */
export const roomsAt = (at: Position, ...rooms: (readonly [MemberId, MemberId, Position?])[]) => {
  const read: MemberId[] = []
  const asked: (readonly MemberId[])[] = []
  const readRooms: RealtimeDeps['readRooms'] = async function* (others) {
    if (others.length > 0) asked.push(others)
    for (const [member, other, own] of rooms) {
      if (!others.includes(other)) continue
      read.push(member)
      yield { at: own ?? at, rooms: [{ member, other }] }
    }
    yield { at, rooms: [] }
  }
  return { readRooms, asked, read }
}
