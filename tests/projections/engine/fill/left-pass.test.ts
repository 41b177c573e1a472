import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Log } from '../../../../eventstore/log.ts'
import { findLive } from '../../../../projections/engine/checkpoints.ts'
import { indexFilled } from '../../../../projections/engine/targets.ts'
import { lines, linesWithout, tallies } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
let open = () => {}
afterEach(() => {
  open()
  return rig.stop()
})

const indexesOf = async (schema: string) => {
  const { rows } = await rig.pool.query<{ name: string }>(
    'select indexname::text as name from pg_indexes where schemaname = $1 order by 1',
    [schema],
  )
  return rows.map(({ name }) => name)
}

/** A pass reads the log's table; pages of the log itself come once it is opened, and what is there when one is asked for is noted. */
function gatedLog(schema: string) {
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const found: string[][] = []
  const readAll: Log['readAll'] = async (...page) => {
    found.push(await indexesOf(schema))
    await opened
    return rig.log.readAll(...page)
  }
  return { log: { ...rig.log, readAll }, found }
}

const ALL = ['line_1', 'line_pkey']

test('a read model that leaves a pass at an event in quarantine goes on with its indexes, and others go live meanwhile', async () => {
  await rig.append(pairStream(ann, bea), sent(ann, bea, 13))
  const old = rig.project([linesWithout(13), tallies])
  await old.start()
  const last = await rig.append(pairStream(ann, cleo), sent(ann, cleo, 1))
  expect(await old.waitFor(last, undefined, 10_000)).toBe(true)
  await rig.stopProjectors()

  const { log, found } = gatedLog('p_lines_v2')
  const next = rig.project([linesWithout(13, 2), { ...tallies, version: 2 }], { log, table: rig.logDatabase })
  const states = () => next.status().map(({ name, state }) => `${name} ${state}`)
  // The other one begins once this one goes on.
  const lock = await rig.pool.connect()
  await lock.query(`select pg_advisory_lock(hashtext('projection'), hashtext('tallies'))`)
  const started = next.start()
  await until('it goes on', () => found.length > 0)
  lock.release(true)
  await started
  await until('the other one is live', () => states().includes('tallies live'))
  expect([states(), found]).toEqual([['lines filling', 'tallies live'], [ALL]])
  open()
  await until('both are live', () => states().includes('lines live'))
  expect(next.status()).toMatchObject([{ quarantined: 1 }, { quarantined: 0 }])
})

test('the first tables of a read model go on with their indexes where a poisonous event ended the pass', async () => {
  await rig.append(pairStream(ann, bea), sent(ann, bea, 13))
  await rig.append(pairStream(ann, cleo), sent(ann, cleo, 1))
  const { log, found } = gatedLog('p_lines_v1')
  open()
  const projector = rig.project([linesWithout(13)], { log, table: rig.logDatabase })
  await projector.start()
  await until('it is live', () => projector.status()[0]!.state === 'live')
  expect(found[0]).toEqual(ALL)
})

test('tables that went live while somebody fills them get no indexes from that', async () => {
  const projector = rig.project([lines])
  await projector.start()
  await until('it is live', () => projector.status()[0]!.state === 'live')
  const live = (await findLive(rig.pool, 'lines'))!
  await rig.pool.query('drop index p_lines_v1.line_1')
  await indexFilled(rig.pool, lines, { ...live, state: 'filling' })
  expect(await indexesOf('p_lines_v1')).toEqual(['line_pkey'])
  await indexFilled(rig.pool, lines, live)
  expect(await indexesOf('p_lines_v1')).toEqual(ALL)
})
