import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Position } from '../../../../domain/shared/recorded.ts'
import { firstWaiting, waitingBehind } from '../../../../projections/engine/care/waiting-events.ts'
import { findLive } from '../../../../projections/engine/checkpoints.ts'
import { areQuarantined, type Quarantined } from '../../../../projections/engine/quarantine.ts'
import { inTransaction } from '../../../../projections/engine/transaction.ts'
import { linesWithout } from '../../../support/toy-projections.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../../engine-rig.ts'

const [ann, bea, cleo] = ['Ann', 'Bea', 'Cleo'].map(member) as [never, never, never]
const MANY = 20_000
const FEW = 50
const FEW_PAGES = 20
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** A connection that runs what it is asked, and notes how many pages that read. */
function explaining(db: pg.ClientBase) {
  const read: number[] = []
  const query = async (text: string, values: unknown[]) => {
    const { rows } = await db.query(`explain (analyze, buffers, format json) ${text}`, values)
    const { Plan } = rows[0]['QUERY PLAN'][0]
    read.push(Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'])
    return db.query(text, values)
  }
  return { db: { query } as never as pg.ClientBase, read }
}

/** A key of which so many events wait, those of position 1 to `MANY`. */
async function manyWaiting() {
  const projector = rig.project([linesWithout(13)])
  await projector.start()
  const last = await rig.append(pairStream(ann, bea), sent(ann, bea, 13))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
  const { rowCount } = await rig.pool.query(
    `insert into app.quarantine (name, version, generation, event_id, position, type, stream, revision, key, reason)
     select name, version, generation, 'e' || n, lpad(n::text, 13, '0'), type, stream, n, key, 'waits behind ' || event_id
     from app.quarantine, generate_series(1, ${MANY}) n`,
  )
  expect(rowCount).toBe(MANY)
  await rig.pool.query('analyze app.quarantine')
  return (await findLive(rig.pool, 'lines'))!
}

test('whether keys are in quarantine is found by reading a few pages, however many events wait there', async () => {
  const live = await manyWaiting()
  const waiting = [pairStream(ann, bea), pairStream(ann, cleo)].map(
    (stream) => ({ stored: { stream }, reason: '' }) as Quarantined,
  )
  await inTransaction(rig.pool, async (client) => {
    const { db, read } = explaining(client)
    expect(await areQuarantined(db, live, waiting.slice(0, 1))).toBe(true)
    expect(await areQuarantined(db, live, waiting)).toBe(false)
    expect(Math.max(...read)).toBeLessThanOrEqual(FEW_PAGES)
  })
})

test('the first events of a key, and those behind a position, are found by reading a few pages', async () => {
  const live = await manyWaiting()
  const key = pairStream(ann, bea).slice('pair-'.length)
  const late = String(MANY - FEW).padStart(13, '0') as Position
  const client = await rig.pool.connect()
  try {
    const { db, read } = explaining(client)
    const [first] = await firstWaiting(db, live, key, FEW)
    expect(first).toMatchObject({ event_id: 'e1' })
    const behind = await waitingBehind(db, live, key, late, ['MessageSent'])
    expect(behind.map(({ event_id }) => event_id).filter((id) => id.startsWith('e'))).toHaveLength(FEW)
    expect(Math.max(...read)).toBeLessThanOrEqual(FEW_PAGES)
  } finally {
    client.release()
  }
})
