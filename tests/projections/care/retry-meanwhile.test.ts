import { EventStoreDBClient } from '@eventstore/db-client'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { findQuarantined } from '../../../projections/engine/care/quarantined-keys.ts'
import { retryQuarantined } from '../../../projections/engine/care/retry.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import { retriedLines } from '../../../server/tools/projections/lines.ts'
import { lines } from '../../support/toy-projections.ts'
import { liveOf, refusing, retried, waiting } from '../engine/retry-rig.ts'
import { AT, buzzed, type EngineRig, member, pairStream, rebuildDepsOf, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [MemberId, MemberId]
const pair = pairStream(ann, bea)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Lines with three messages of a pair in quarantine, which could be applied by now. */
async function threeWaiting() {
  const { failing, refuse } = refusing(lines)
  refuse('MessageSent')
  const shown = await liveOf(rig, failing)
  await shown(pair, sent(ann, bea, 1), sent(ann, bea, 2), sent(ann, bea, 3))
  refuse()
  return failing
}

test.each([
  [{ truncateBefore: 2 }, 1, 2],
  [{ truncateBefore: 3 }, 0, 3],
])('of events that the log no longer has (%j) a retry applies none, and reports them', async (cut, applied, gone) => {
  const failing = await threeWaiting()
  const client = EventStoreDBClient.connectionString(rig.connectionString)
  onTestFinished(() => client.dispose())
  await client.setStreamMetadata(pair, cut)
  const done = await retried(rig, failing, pair)
  expect(done).toMatchObject({ applied, gone, reason: null, incomplete: true })
  const text = `lines: the log no longer has ${gone} events of ${done.quarantined.key}: removed from quarantine, not applied.`
  expect(retriedLines(done)).toContain(text)
  expect(await waiting(rig)).toEqual([])
  expect((await rig.pool.query('select from read.line')).rowCount).toBe(applied)
})

test('a retry changes no tables that readers no longer see, and names what happened', async () => {
  const failing = await threeWaiting()
  const [found] = await findQuarantined(rig, pair, lines.name)
  expect(await rebuild(rebuildDepsOf(rig), failing, { swap: true })).toMatchObject({ swapped: true })
  await expect(retryQuarantined(rig, failing, found!)).rejects.toThrow('lines was swapped meanwhile.')
  expect((await rig.pool.query('select from p_lines_v1.line')).rowCount).toBe(0)
  expect(await waiting(rig)).toHaveLength(3)
})

test('a retry does nothing again that live has not come to yet', async () => {
  const { failing, refuse } = refusing(notifications)
  refuse('Buzzed')
  const at = await (await liveOf(rig, failing))(pair, buzzed(ann, bea))
  await rig.stopProjectors()
  refuse()
  const read = { type: 'AllNotificationsRead', member: bea, upTo: at, notifications: null, at: AT } as const
  const head = await rig.append(`inbox-${bea}`, read)
  const readAt = async () => (await rig.pool.query('select read_at from read.notification')).rows
  expect(await retried(rig, failing, pair)).toMatchObject({ applied: 1, reason: null, incomplete: false })
  expect(await readAt()).toEqual([{ read_at: null }])
  const projector = rig.project([failing])
  await projector.start()
  expect(await projector.waitFor(head, undefined, 20_000)).toBe(true)
  expect(await readAt()).toEqual([{ read_at: AT }])
  expect(await rig.wrongRows([notifications])).toEqual([])
})
