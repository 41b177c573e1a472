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

const WORDS = 100_000
/** A pool that counts the rows that it sends and those that it is given, and the statements about messages of each transaction. */
function weighed(config: pg.PoolConfig) {
  const seen = { rows: 0, statements: [0] }
  class Weighing extends pg.Client {
    override query(...given: unknown[]): never {
      const [first] = given as [string | { text?: string; values?: unknown[][] }]
      const text = typeof first === 'string' ? first : (first.text ?? '')
      if (text.startsWith('begin')) seen.statements.push(0)
      const answer = (super.query as (...given: unknown[]) => unknown)(...given)
      if (text.includes('."message"')) {
        seen.statements[seen.statements.length - 1]! += 1
        seen.rows += typeof first === 'object' ? (first.values?.[0]?.length ?? 0) : 0
        void (answer as Promise<pg.QueryResult>).then(({ rows }) => {
          seen.rows += rows.length
        })
      }
      return answer as never
    }
  }
  return { seen, pool: quiet(new pg.Pool({ ...config, max: 6, Client: Weighing as never })) }
}

/** As if the member had written to the other for hours. */
const wrote = (from: MemberId, to: MemberId) =>
  rig.pool.query(
    `insert into p_conversations_v3.message (room, number, id, from_member, text, media, sent_at)
     select $1, n, 'm' || n, $2, 'word', null, now() from generate_series(1, $3::int) n`,
    [pairIdOf(from, to), from, WORDS],
  )

test('what erased members wrote goes member by member, in one statement of a transaction each, and no message is loaded', async () => {
  const first = rig.project([conversations])
  await first.start()
  await first.stop()
  const gone = ['Ann', 'Bob', 'Cat'].map(member)
  for (const one of gone) await wrote(one, member(`friend of ${one}`))
  for (const one of gone) await rig.append(`member-${one}`, { type: 'AccountErased', member: one, at: AT })
  const { pool, seen } = weighed(rig.config)
  const projector = rig.project([conversations], { pool })
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 30_000)).toBe(true)
  const { rows: left } = await rig.pool.query('select from p_conversations_v3.message where text is not null')
  await projector.stop()
  await pool.end()
  expect(left).toEqual([])
  expect(seen.statements.filter((many) => many > 0)).toEqual([1, 1, 1])
  expect(seen.rows).toBe(gone.length)
})
