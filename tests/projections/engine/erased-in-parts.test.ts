import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { PIECE } from '../../../projections/engine/owed/owed.ts'
import { until } from '../../support/until.ts'
import { AT, type EngineRig, member, quiet, startEngineRig } from '../engine-rig.ts'

let rig: EngineRig
beforeAll(async () => {
  rig = await startEngineRig()
})
afterAll(() => rig.stop())

const WORDS = 10_000
/** A pool that counts the columns of messages that it is given, and the most messages that one statement changed. */
function weighed(config: pg.PoolConfig) {
  const seen = { columns: 0, changed: 0 }
  class Weighing extends pg.Client {
    override query(...given: unknown[]): never {
      const [first] = given as [string | { text?: string; values?: unknown[][] }]
      const text = typeof first === 'string' ? first : (first.text ?? '')
      const answer = (super.query as (...given: unknown[]) => unknown)(...given)
      if (text.includes('."message"')) {
        void (answer as Promise<pg.QueryResult> | undefined)?.then(({ command, rowCount, fields }) => {
          if (command === 'UPDATE') seen.changed = Math.max(seen.changed, rowCount ?? 0)
          seen.columns += fields.filter(({ name }) => name !== 'ctid').length
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

test('what erased members wrote goes in pieces of a bounded size, and no message is loaded', async () => {
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
  const isOwed = async () => (await rig.pool.query('select from app.projection_owed')).rows.length > 0
  await until('nothing is owed', async () => !(await isOwed()), 30_000)
  const { rows: left } = await rig.pool.query('select from p_conversations_v3.message where text is not null')
  await projector.stop()
  await pool.end()
  expect(left).toEqual([])
  expect(seen).toEqual({ columns: 0, changed: PIECE })
})
