import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NotificationId } from '../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { notifications } from '../../projections/notifications/project.ts'
import { countedPool } from './counted-pool.ts'
import { AT, buzzed, type EngineRig, member, pairStream, quiet, startEngineRig } from './engine-rig.ts'

const bea = member('Bea')
const others = ['Ann', 'Cat', 'Dan'].map(member)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const idOf = (other: (typeof others)[number]) => idFrom(uuidFrom(pairStream(other, bea), 0), bea) as NotificationId

test('Mark all read loads nothing, and marks what is unread in one statement', async () => {
  const { pool, since } = countedPool(rig.config)
  const projector = rig.project([notifications], { pool: quiet(pool) })
  await projector.start()
  for (const other of others) await rig.append(pairStream(other, bea), buzzed(other, bea))
  const read = others.slice(1).map(idOf)
  const inbox = `inbox-${bea}`
  let last = await rig.append(
    inbox,
    ...read.map((notification) => ({ type: 'NotificationRead', member: bea, notification, at: AT }) as const),
  )
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  since()
  last = await rig.append(inbox, { type: 'AllNotificationsRead', member: bea, upTo: last, notifications: null, at: AT })
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  const asked = since().filter((text) => text.includes('"notification"'))
  expect(asked.map((text) => text.slice(0, 6))).toEqual(['update'])
  const { rows } = await rig.pool.query('select id from read.notification where read_at is null')
  expect(rows).toEqual([])
  expect(await rig.wrongRows([notifications])).toEqual([])
  await rig.stopProjectors()
  await pool.end()
})
