import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId } from '../../../../domain/shared/ids.ts'
import type { Log } from '../../../../eventstore/log.ts'
import { dropUnfollowed } from '../../../../projections/engine/care/unfollowed-tables.ts'
import { listTargets, schemaOf } from '../../../../projections/engine/checkpoints.ts'
import { rebuild } from '../../../../projections/engine/rebuild.ts'
import { lines } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { AT, type EngineRig, member, pairStream, rebuildDepsOf, sent, startEngineRig } from '../../engine-rig.ts'

const ann = member('Ann')
const others = Array.from({ length: 3 }, (_, at) => member(`other ${at}`))
/** Of each with Ann: a page of the log and more. */
const MESSAGES = 600
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** What each table of the read model, whoever reads it, has of a member. */
async function rowsOf(who: MemberId): Promise<number[]> {
  const counts: number[] = []
  for (const target of await listTargets(rig.pool, 'lines')) {
    const { rows } = await rig.pool.query(`select from ${schemaOf(target)}.line where from_member = $1`, [who])
    counts.push(rows.length)
  }
  return counts
}

test('a filling under an erasure with each page of the log goes on to its end, and leaves nothing of who was erased', async () => {
  const projector = rig.project([lines])
  await projector.start()
  const words = (from: MemberId) =>
    Array.from({ length: MESSAGES }, (_, at) => sent(at % 2 ? from : ann, at % 2 ? ann : from, at + 1))
  for (const one of others) await rig.append(pairStream(ann, one), ...words(one))
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)

  const erased: MemberId[] = []
  const readAll: Log['readAll'] = async (...page) => {
    const next = others[erased.length]
    if (next) {
      erased.push(next)
      await rig.keys.destroy(next)
      await rig.append(`member-${next}`, { type: 'AccountErased', member: next, at: AT })
      expect(await dropUnfollowed(rig.pool, 'all')).toMatchObject({ schemas: [], busy: ['lines'] })
    }
    return rig.log.readAll(...page)
  }
  const given = { ...rebuildDepsOf(rig), table: undefined, log: { ...rig.log, readAll } }
  expect(await rebuild(given, lines)).toMatchObject({ generation: 2, swapped: true, verdict: { same: true } })
  expect(erased).toEqual(others)
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  await until('nothing is left', async () => (await dropUnfollowed(rig.pool, 'all')).busy.length === 0)
  for (const one of others) expect(await rowsOf(one)).toEqual([0])
  expect(await rowsOf(ann)).toEqual([(others.length * MESSAGES) / 2])
  expect(await rig.wrongRows([lines])).toEqual([])
})
