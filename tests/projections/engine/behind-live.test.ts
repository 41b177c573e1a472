import { afterEach, beforeEach, expect, test } from 'vitest'
import { NotCompared, verifyFilled } from '../../../projections/engine/care/verify.ts'
import { listTargets } from '../../../projections/engine/checkpoints.ts'
import { type RebuildOptions, rebuild } from '../../../projections/engine/rebuild.ts'
import { lines } from '../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = [member('Ann'), member('Bea')]
const stream = pairStream(ann, bea)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const made = (options: RebuildOptions = {}, liveComesMs?: number) => {
  const { log, codec, keys, pool } = rig
  return rebuild({ log, codec, keys, pool, liveComesMs, signal: new AbortController().signal }, lines, options)
}
const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => sent(ann, bea, from + index))

async function live() {
  const projector = rig.project([lines])
  await projector.start()
  const last = await rig.append(stream, ...words(1, 3))
  expect(await projector.waitFor(last, undefined, 20_000)).toBe(true)
}

test('tables are not compared with a live of their version that does not come to where they are, and that is an error', async () => {
  await live()
  await rig.stopProjectors()
  await made({ swap: false })
  const { rowCount } = await rig.pool.query(
    `update app.projection_checkpoint c set position = '0000000000001' from app.projection_target t
     where (t.name, t.version, t.generation) = (c.name, c.version, c.generation) and t.state = 'live'`,
  )
  expect(rowCount).toBeGreaterThan(0)
  const filling = (await listTargets(rig.pool, 'lines')).find(({ state }) => state === 'filling')!
  const nobody = async () => {}
  const deps = { pool: rig.pool, projection: lines, catchUp: nobody, bringLive: nobody, payLive: async () => false }
  await expect(verifyFilled(deps, filling)).rejects.toThrow(NotCompared)
  await rig.pool.query(`update app.projection_checkpoint set epoch = 'another log'
    where (name, generation) in (select name, generation from app.projection_target where state = 'live')`)
  expect(await verifyFilled(deps, filling)).toBe(null)
})

test('a rebuild waits for live for as long as that moves on, and finds what differs', async () => {
  await live()
  await rig.pool.query(`update p_lines_v1.line set text = 'nobody wrote this' where number = 2`)
  await rig.pool.query(`create function slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.03); return new; end $$;
    create trigger slow before insert on p_lines_v1.line for each row execute function slow()`)
  // Each of its own, so that live moves on with every one.
  for (let number = 4; number < 84; number += 8) await rig.append(stream, ...words(number, number + 7))
  expect(await made({}, 1_000)).toMatchObject({ swapped: false, verdict: { same: false } })
})
