import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { AT, type EngineRig, member, quiet, startEngineRig } from '../engine-rig.ts'

let rig: EngineRig
beforeAll(async () => {
  rig = await startEngineRig()
})
afterAll(() => rig.stop())

const WORDS = 5_000
/** A pool that counts the rows that each transaction writes. */
function weighed(config: pg.PoolConfig) {
  const rows: number[] = [0]
  class Weighing extends pg.Client {
    override query(...given: unknown[]): never {
      const [first] = given as [string | { text?: string; values?: unknown[][] }]
      const text = typeof first === 'string' ? first : (first.text ?? '')
      if (text.startsWith('begin')) rows.push(0)
      if (text.startsWith('insert into "p_') && typeof first === 'object')
        rows[rows.length - 1]! += first.values?.[0]?.length ?? 0
      return (super.query as (...given: unknown[]) => never)(...given)
    }
  }
  return { rows, pool: quiet(new pg.Pool({ ...config, max: 6, Client: Weighing as never })) }
}

/** As if the member had written to the other for hours. */
const wrote = (from: MemberId, to: MemberId) =>
  rig.pool.query(
    `insert into p_conversations_v2.message (room, number, id, from_member, text, media, sent_at)
     select $1, n, 'm' || n, $2, 'word', null, now() from generate_series(1, $3::int) n`,
    [pairIdOf(from, to), from, WORDS],
  )

test('what erased members wrote goes member by member, each in a transaction, however many go at once', async () => {
  const first = rig.project([conversations])
  await first.start()
  await first.stop()
  const gone = ['Ann', 'Bob', 'Cat'].map(member)
  for (const one of gone) await wrote(one, member(`friend of ${one}`))
  for (const one of gone) await rig.append(`member-${one}`, { type: 'AccountErased', member: one, at: AT })
  const { pool, rows } = weighed(rig.config)
  const projector = rig.project([conversations], { pool })
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 30_000)).toBe(true)
  const { rows: left } = await rig.pool.query('select from p_conversations_v2.message where text is not null')
  await projector.stop()
  await pool.end()
  expect([left.length, Math.max(...rows)]).toEqual([0, WORDS])
})
