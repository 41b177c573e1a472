import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NotificationId } from '../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { changesOf, emptySets, wantedBy } from '../../projections/engine/fold.ts'
import { loadRows } from '../../projections/engine/rows.ts'
import { notifications } from '../../projections/notifications/project.ts'
import { notification } from '../../projections/notifications/table.ts'
import { recorded } from '../support/recorded.ts'
import { AT, buzzed, type EngineRig, member, pairStream, startEngineRig } from './engine-rig.ts'

const bea = member('Bea')
const others = ['Ann', 'Cat', 'Dan'].map(member)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const idOf = (other: (typeof others)[number]) => idFrom(uuidFrom(pairStream(other, bea), 0), bea) as NotificationId

test('Mark all read loads what is unread alone, and marks it', async () => {
  const projector = rig.project([notifications])
  await projector.start()
  for (const other of others) await rig.append(pairStream(other, bea), buzzed(other, bea))
  const read = others.slice(1).map(idOf)
  const inbox = `inbox-${bea}`
  let last = await rig.append(
    inbox,
    ...read.map((notification) => ({ type: 'NotificationRead', member: bea, notification, at: AT }) as const),
  )
  const all = { type: 'AllNotificationsRead', member: bea, upTo: last, at: AT } as const
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  const sets = emptySets(notifications)
  const client = await rig.pool.connect()
  try {
    const wanted = wantedBy(changesOf(notifications, recorded(all)), sets)
    await loadRows(client, 'read', sets.get(notification)!, wanted.get(notification)!)
  } finally {
    client.release()
  }
  expect(sets.get(notification)!.size).toBe(1)
  last = await rig.append(inbox, all)
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  const { rows } = await rig.pool.query('select id from read.notification where read_at is null')
  expect(rows).toEqual([])
  expect(await rig.wrongRows([notifications])).toEqual([])
})
