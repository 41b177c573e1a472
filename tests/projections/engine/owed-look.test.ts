import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { until } from '../../support/until.ts'
import { AT, type EngineRig, member, pairStream, quiet, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map(member) as [MemberId, MemberId, MemberId, MemberId]
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** A pool that gives the places of messages only once it is let. */
function holding(config: pg.PoolConfig) {
  let go = () => {}
  const let_ = new Promise<void>((resolve) => {
    go = resolve
  })
  const seen = { looks: 0 }
  class Holding extends pg.Client {
    override query(...given: unknown[]): never {
      const [text] = given
      const ask = () => (super.query as (...given: unknown[]) => unknown)(...given)
      if (typeof text !== 'string' || !/^select t.ctid from .*"message"/.test(text)) return ask() as never
      seen.looks++
      const callback = given.at(-1)
      if (typeof callback === 'function') return void let_.then(ask) as never
      return let_.then(ask) as never
    }
  }
  return { seen, go: () => go(), pool: quiet(new pg.Pool({ ...config, max: 6, Client: Holding as never })) }
}

test('what others write shows while places of rows that an erasure has left are looked for', async () => {
  const words = Array.from({ length: 50 }, (_, index) => sent(ann, bea, index + 1))
  const wrote = await rig.append(pairStream(ann, bea), { type: 'Matched', members: [ann, bea], at: AT }, ...words)
  const { pool, seen, go } = holding(rig.config)
  const projector = rig.project([conversations], { pool, piece: 5 })
  await projector.start()
  expect(await projector.waitFor(wrote, undefined, 20_000)).toBe(true)
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  await until('it looks', () => seen.looks > 0)
  for (const number of [1, 2, 3]) {
    const written = await rig.append(pairStream(cat, dan), sent(cat, dan, number))
    expect(await projector.waitFor(written, undefined, 5_000)).toBe(true)
  }
  expect(seen.looks).toBe(1)
  go()
  const left = `select from p_conversations_v3.message where from_member = $1 and text is not null`
  await until('all is paid', async () => (await rig.pool.query('select from app.projection_owed')).rowCount === 0)
  expect((await rig.pool.query(left, [ann])).rowCount).toBe(0)
  expect(await rig.wrongRows([conversations])).toEqual([])
  await rig.stopProjectors()
  await pool.end()
})
