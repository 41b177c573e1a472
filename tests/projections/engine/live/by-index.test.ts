import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { lines, tallies } from '../../../support/toy-projections.ts'
import { AT, appendLoad, member, pairStream, quiet, startEngineRig } from '../../engine-rig.ts'

const ROWS = 10_000
const ROUNDS = 8
const TABLES = ['p_tallies_v1.tally', 'p_lines_v1.line']

const KNOWN = ['of which nothing is known', 'whose size is known']

test.each(KNOWN)('statements planned for a small table %s read no more of it once it has grown', async (of) => {
  const rig = await startEngineRig()
  onTestFinished(() => rig.stop())
  const pool = quiet(new pg.Pool({ ...rig.config, max: 4 }))
  const projector = rig.project([tallies, lines], { pool })
  await projector.start()
  for (const table of TABLES) await rig.pool.query(`alter table ${table} set (autovacuum_enabled = false)`)
  const unmatch = (index: number) =>
    rig.append(pairStream(member(`by${index}`), member('other')), {
      type: 'Unmatched',
      by: member(`by${index}`),
      target: member('other'),
      at: AT,
    })
  let index = 0
  const work = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await appendLoad(rig, 1)
      await projector.waitFor(await unmatch(index++), undefined, 10_000)
    }
  }
  await work()
  if (of === KNOWN[1]) {
    for (const table of TABLES) await rig.pool.query(`analyze ${table}`)
    await work()
  }
  await rig.pool.query(
    `insert into p_tallies_v1.tally select 'x' || n, 0, 0, 7, null, '[]', '{}', false from generate_series(1, ${ROWS}) n`,
  )
  await rig.pool.query(
    `insert into p_lines_v1.line select 'x' || n, 1, 'y' || n, 'word' from generate_series(1, ${ROWS}) n`,
  )
  await work()
  await rig.stopProjectors()
  // A connection counts what it has read by its end at the latest.
  await pool.end()
  const { rows } = await rig.pool.query(
    `select relname, seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid) as read
     from pg_stat_user_tables t where relname in ('tally', 'line') order by relname`,
  )
  expect(rows.map(({ relname, read }) => [relname, Number(read) < ROWS])).toEqual([
    ['line', true],
    ['tally', true],
  ])
})
