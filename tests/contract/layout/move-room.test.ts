import { statfsSync } from 'node:fs'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freeOnDisk } from '../../../eventstore/embedded/storage/move/disk-room.ts'
import { until } from '../../support/until.ts'
import { notes, REAL_LOG } from '../log-target.ts'
import { openSingle, type SingleRig } from './moving-log.ts'

const EVENTS = 800
const PLENTY = 1e15
const TABLES = { span: 200, moveAtOnce: 0, moveBatch: 100, roomAgainMs: 50, roomLookMs: 0 }
const NEXT = `select to_regclass('log.event_next') is not null as there,
  (select count(*)::int from pg_class where relname ~ '^event_[0-9]+$') as partitions`

let rig: SingleRig
let free: number | null

const size = async () =>
  Number((await rig.database.run("select pg_total_relation_size('log.event')::text as size")).rows[0].size)
const next = async () => (await rig.database.run(NEXT)).rows[0]
const linesOf = (text: string) => rig.lines.filter((line) => line.includes(text))

async function count(): Promise<number> {
  let events = 0
  for await (const _ of rig.client().readStream('old', { maxCount: 10_000 })) events++
  return events
}

async function startWith(bytes: number | null, tables = {}): Promise<void> {
  free = bytes
  await rig.start({ tables: { ...TABLES, freeBytes: async () => free, ...tables } })
}

describe.skipIf(REAL_LOG)('the move of a log asks for room on the disk', () => {
  beforeEach(async () => {
    rig = await openSingle()
    await rig.database.run(`insert into log.event select n, 'old', n - 2, gen_random_uuid(), 'Noted', true, 0, convert_to(repeat('x', 500), 'utf8'), '{}'
      from generate_series(2, ${EVENTS + 1}) n`)
  })
  afterEach(() => rig.close())

  test('begins nothing where there is too little, names how much it takes, and moves once there is enough', async () => {
    await startWith(Math.floor((await size()) * 1.2))
    await until('it has looked twice', () => linesOf('waits').length > 1)
    expect(rig.lines[0]).toMatch(
      /^The move of the log to partitions waits: it takes \d+ MB free on the disk of Postgres, where \d+ MB are\. Free some, or enlarge it/,
    )
    expect([await next(), await rig.layout()]).toEqual([{ there: false, partitions: 0 }, 'single'])
    await rig.client().appendToStream('old', notes(3))
    free = Math.ceil((await size()) * 1.3)
    await rig.moved()
    expect(await count()).toBe(EVENTS + 3)
  })

  test('gives back what it has copied where others fill the disk meanwhile, and serves on', async () => {
    await rig.hold()
    await startWith(PLENTY, { roomAgainMs: 200 })
    const unblock = await rig.blockAt(400)
    expect((await next()).partitions).toBeGreaterThan(0)
    free = 1_000
    await unblock()
    await until('it has given them back', async () => !(await next()).there)
    expect([linesOf('waits').length > 0, (await next()).partitions, await rig.layout()]).toEqual([true, 0, 'single'])
    expect(await count()).toBe(EVENTS)
    free = PLENTY
    await rig.moved()
    expect(await count()).toBe(EVENTS)
  })

  test('does not move a small log at its start either', async () => {
    await startWith(1_000, { moveAtOnce: 10_000 })
    await until('it waits', () => linesOf('waits').length)
    expect([await next(), await rig.layout()]).toEqual([{ there: false, partitions: 0 }, 'single'])
  })

  test('moves with a note where the disk cannot be seen', async () => {
    await startWith(null)
    await rig.moved()
    expect(linesOf('cannot be seen from here')).toHaveLength(1)
  })

  test('sees the disk of a Postgres on this machine alone, and as its administrator alone', async () => {
    const on = async (work: (client: pg.Client) => Promise<unknown>) => {
      const client = new pg.Client(rig.database.config)
      await client.connect()
      return work(client).finally(() => client.end())
    }
    const { rows } = await rig.database.run('show data_directory')
    const { blocks, bsize } = statfsSync(rows[0].data_directory)
    const seen = (await on(freeOnDisk)) as number
    expect(seen).toBeGreaterThan(0)
    expect(seen).toBeLessThanOrEqual(blocks * bsize)
    const elsewhere = { rows: [{ folder: rows[0].data_directory, elsewhere: '', cluster: '1' }] }
    expect(await freeOnDisk({ query: async () => elsewhere } as never)).toBeNull()
    const member = 'set role pg_monitor; set role pg_read_all_data'
    expect(await on((client) => client.query(member).then(() => freeOnDisk(client)))).toBeNull()
  })

  test('gives back what it has copied where Postgres itself finds the disk full, which cannot be seen from here', async () => {
    await rig.database.run(`create function log.full_disk() returns trigger language plpgsql as $$ begin
      if new.position > 400 then raise exception 'no space left on device' using errcode = '53100'; end if;
      return new; end $$`)
    await rig.hold()
    await startWith(null)
    const unblock = await rig.blockAt(200)
    const filled = rig.database.run(
      'create trigger full_disk before insert on log.event_next for each row execute function log.full_disk()',
    )
    await unblock()
    await filled
    await until('it waits', () => linesOf('waits').length > 0)
    await until('nothing is left of the copies', async () => (await next()).partitions === 0)
    expect(linesOf('waits')[0]).toContain('the server looks again')
    expect(await count()).toBeGreaterThanOrEqual(EVENTS)
  })
})
