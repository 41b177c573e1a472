import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { extendChain } from '../../../eventstore/chain/extend.ts'
import { createSeals } from '../../../eventstore/chain/seals.ts'
import { tableSource } from '../../../eventstore/chain/table-source.ts'
import { verifyChain } from '../../../eventstore/chain/verify.ts'
import { LogInUseError } from '../../../eventstore/embedded/storage/postgres-writer.ts'
import { ScavengeRunningError, scavenge } from '../../../eventstore/embedded/storage/scavenge.ts'
import { freshDatabase } from '../../support/fresh-database.ts'
import { appTemplate } from '../../support/templates/app.ts'
import { until } from '../../support/until.ts'
import { all, note, notes, REAL_LOG } from '../log-target.ts'
import { answersOf, appending, openSingle, type SingleRig, writeHistory } from './moving-log.ts'

let rig: SingleRig

/** The statement by which the release before appends. */
const FORMER_INSERT = `insert into log.event (position, stream, revision, id, type, json, created, data, metadata)
  values (5, 'former', 0, gen_random_uuid(), 'Noted', true, 0, '', '')`

describe.skipIf(REAL_LOG)('a log of the layout before', () => {
  beforeEach(async () => {
    rig = await openSingle()
    await rig.hold()
    await rig.start()
  })
  afterEach(() => rig.close())

  test('keeps every answer when it moves, and its chain holds', async () => {
    await writeHistory(rig)
    const before = await answersOf(rig.client())
    const app = await freshDatabase({ template: appTemplate })
    const pool = new pg.Pool(app.config)
    pool.on('error', () => undefined)
    const source = tableSource(rig.database.config)
    const chain = { pool, source, seals: createSeals(randomBytes(32)), now: () => new Date() }
    const sealed = await extendChain(chain)
    expect(await rig.layout()).toBe('single')
    await rig.release()
    await rig.moved()
    expect(await answersOf(rig.client())).toEqual(before)
    expect(await verifyChain(chain)).toMatchObject({ ok: true, problems: [], events: sealed.events })
    await rig.stop()
    await rig.start()
    expect(await answersOf(rig.client())).toEqual(before)
    await rig.client().appendToStream('deleted', note('Next'))
    await expect(rig.client().appendToStream('ended', note('Next'))).rejects.toMatchObject({ type: 'stream-deleted' })
    await pool.end()
    await app.drop()
  })

  test('moves at the start when it is small', async () => {
    await writeHistory(rig)
    const before = await answersOf(rig.client())
    await rig.stop()
    await rig.release()
    await rig.start({ tables: { span: 10 } })
    expect(await rig.layout()).toBe('partitioned')
    expect(await answersOf(rig.client())).toEqual(before)
  })

  test('has every append that is made while it moves, in order', async () => {
    await rig.stop()
    await rig.start({ tables: { span: 1_000, moveAtOnce: 0, moveBatch: 500 } })
    for (let round = 0; round < 8; round++) await rig.client().appendToStream(`old-${round % 3}`, notes(40))
    const lanes = ['a', 'b', 'c'].map((name) => appending(rig.client(), name))
    const unblock = await rig.blockAt(150)
    await until('all go on beside it', () => lanes.every(({ count }) => count() > 20))
    expect(await rig.layout()).toBe('single')
    await unblock()
    await rig.moved()
    const counts = lanes.map(({ count }) => count())
    await until('all go on behind it', () => lanes.every(({ count }, at) => count() > counts[at]! + 3))
    const acknowledged = await Promise.all(lanes.map(({ stop }) => stop()))
    for (const [at, name] of ['a', 'b', 'c'].entries()) {
      const events = await all(rig.client().readStream(name))
      expect(events.map(({ id }) => id)).toEqual(acknowledged[at])
      expect(events.map(({ revision }) => Number(revision))).toEqual(acknowledged[at]!.map((_, revision) => revision))
    }
    const positions = (await all(rig.client().readAll())).map(({ position }) => Number(position!.commit))
    expect(positions).toEqual(Array.from({ length: positions.length }, (_, index) => index + 1))
    expect(counts.every((count) => count > 0)).toBe(true)
  })

  test('resumes where it was interrupted, and copies again what changed meanwhile', async () => {
    for (let round = 0; round < 8; round++) await rig.client().appendToStream('old', notes(40))
    const unblock = await rig.blockAt(150)
    await rig.stop()
    await unblock()
    const { rows } = await rig.database.run('select max(position)::int as last from log.event_next')
    expect([rows[0].last, await rig.layout()]).toEqual([147, 'single'])
    // As a scavenge by the release before would.
    await rig.database.run('delete from log.event where revision between 10 and 12')
    await rig.database.run(`update log.event_next set data = 'other' where position = 20`)
    await rig.start()
    const before = await all(rig.client().readStream('old'))
    await rig.moved()
    expect(await all(rig.client().readStream('old'))).toEqual(before)
    expect(before).toHaveLength(317)
    expect(rig.lines.filter((line) => line.includes('are copied again'))).toHaveLength(1)
  })

  test('waits with the switch for who reads it for long, and keeps nobody waiting meanwhile', async () => {
    await rig.client().appendToStream('old', notes(20))
    const reader = new pg.Client(rig.database.config)
    reader.on('error', () => undefined)
    await reader.connect()
    await reader.query('begin isolation level repeatable read; select count(*) from log.event')
    await rig.release()
    await until('the switch was tried', () => rig.lines.some((line) => line.includes('is read for long')))
    for (let round = 0; round < 20; round++) await rig.client().appendToStream('old', note('Meanwhile'))
    expect([await rig.layout(), (await all(rig.client().readStream('old'))).length]).toEqual(['single', 40])
    await reader.end()
    await rig.moved()
    expect(await all(rig.client().readStream('old'))).toHaveLength(40)
  })

  test('has one writer: not one of this release and one of the release before, and none of that one afterwards', async () => {
    await rig.client().appendToStream('old', notes(3))
    const second = rig.database.config
    await expect(rig.start({ database: second, lockWaitMs: 10 })).rejects.toBeInstanceOf(LogInUseError)
    await rig.release()
    await rig.moved()
    await expect(rig.database.run(FORMER_INSERT)).rejects.toThrow(/"stream_id".*not-null/)
    const { rows } = await rig.database.run('select position, stream, revision from log.event order by position')
    expect(rows).toHaveLength(4)
  })

  test('is not scavenged while it moves', async () => {
    await rig.client().appendToStream('old', notes(200))
    await rig.client().setStreamMetadata('old', { maxCount: 1 })
    const unblock = await rig.blockAt(150)
    await expect(scavenge({ database: rig.database.config })).rejects.toBeInstanceOf(ScavengeRunningError)
    await unblock()
    await rig.moved()
    await until('the lock is free', () => scavenge({ database: rig.database.config }).catch(() => false))
    expect(await all(rig.client().readStream('old'))).toHaveLength(1)
  })
})
