import { expect, test } from 'vitest'
import { days, hours } from '../../../domain/shared/dates.ts'
import { cellAt, DISCOVER_CELL_M, metresBetween } from '../../../domain/shared/grid.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createPositions } from '../../../services/nearby/positions.ts'
import { randomId } from '../../../services/random-id.ts'
import { appDatabase, GRID_KEY, MASTER_KEY, NO_LIMITS, testClock } from '../support/app.ts'

const app = appDatabase()
const BERLIN = { lat: 52.5163, lng: 13.3777 }

function start() {
  const now = testClock()
  const positions = createPositions({ db: app.db, now, masterKey: MASTER_KEY, gridKey: GRID_KEY, limits: NO_LIMITS })
  return { now, positions, ann: randomId() as MemberId }
}
const later = (now: () => Date, ms: number) => new Date(now().getTime() + ms)

test('of a measured position the exact one is kept for a day and the square for a month', async () => {
  const { now, positions, ann } = start()
  expect(await positions.findKept(ann)).toBeNull()
  await positions.accept(ann, BERLIN)
  const [day, month] = [later(now, hours(24)), later(now, days(30))]
  expect(await positions.findKept(ann)).toMatchObject({ isTown: false, positionUntil: day, cellUntil: month })
  now.pass(hours(24))
  expect(await positions.findKept(ann)).toMatchObject({ isTown: false, positionUntil: null, cellUntil: month })
  await positions.sweep()
  expect(await positions.findKept(ann)).toMatchObject({ isTown: false, positionUntil: null, cellUntil: month })
})

test('of a move it is the cell that distances will come from', async () => {
  const { now, positions, ann } = start()
  await positions.accept(ann, BERLIN)
  expect(await positions.findKept(ann)).toMatchObject({ isMoving: false })
  now.pass(hours(2))
  const munich = { lat: 48.1374, lng: 11.5755 }
  await positions.accept(ann, munich)
  const kept = await positions.findKept(ann)
  expect(kept?.isMoving).toBe(true)
  expect(metresBetween(kept!.cell, munich)).toBeLessThan(2_000)
})

test('of a town its cell alone is kept, and nothing of who is removed', async () => {
  const { now, positions, ann } = start()
  await positions.setTown(ann, BERLIN)
  const { lat, lng } = cellAt(BERLIN, DISCOVER_CELL_M)
  const kept = {
    cell: { lat, lng },
    isMoving: false,
    isTown: true,
    positionUntil: null,
    cellUntil: later(now, days(30)),
  }
  expect(await positions.findKept(ann)).toEqual(kept)
  await positions.remove(ann)
  expect(await positions.findKept(ann)).toBeNull()
})
