import { type Position, START } from '../../domain/shared/recorded.ts'
import type { RealtimeLimits } from '../limits.ts'
import type { EventSource } from '../source.ts'
import type { ReadRooms } from './erased-rooms.ts'
import type { ReadRights } from './loader.ts'

type BeginningDeps = {
  readonly source: Pick<EventSource, 'earlierPosition'>
  readonly readRights: ReadRights
  readonly readRooms: ReadRooms
  readonly limits: Pick<RealtimeLimits, 'roomsEvents'>
}

/**
 * Where a node that has to know all after `floor` begins, so that it remembers what came after the rows of each read model.
 * Nobody is let in without rights, so it begins at theirs, however far back. Rooms are missed behind an erasure alone: what is
 * very far behind, such as a paused model, keeps no node from starting.
 */
export async function beginningOf(floor: Position, deps: BeginningDeps): Promise<Position> {
  const { source, readRights, readRooms, limits } = deps
  const rights = readRights({ members: [], accounts: [] })
  const [{ relationsAt, accountsAt }, roomsAt] = await Promise.all([rights, positionOf(readRooms)])
  const begin = [floor, relationsAt, accountsAt].sort()[0]!
  if (roomsAt >= begin) return begin
  return roomsAt >= (await source.earlierPosition(limits.roomsEvents, new Date())) ? roomsAt : begin
}

async function positionOf(readRooms: ReadRooms): Promise<Position> {
  for await (const { at } of readRooms([])) return at
  return START
}
