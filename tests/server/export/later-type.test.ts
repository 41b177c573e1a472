import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExporter } from '../../../server/tools/export/exporter.ts'
import { eventsOf } from '../../../server/tools/export/streams.ts'
import { createExportFiles } from '../../../services/export/files.ts'
import { createExportWork } from '../../../services/export/work.ts'
import { createLogger } from '../../../services/log.ts'
import { fromLater } from '../../eventstore/later-release.ts'
import { type Rig, startRig } from '../../eventstore/rig.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import { ask } from './archive.ts'

let rig: Rig
let world: World
let id: string
beforeAll(async () => {
  rig = await startRig()
  world = await startWorld()
  id = await askBehindLater()
})
afterAll(async () => {
  await world?.stop()
  await rig?.stop()
})

test('a copy of one’s data is not made without what a later release wrote', async () => {
  await rig.log.append('pair-a_b', 'no_stream', [fromLater('Waved')])
  const asking = { ...rig, signal: new AbortController().signal }
  const first = (stream: string) => eventsOf(asking, stream, (type) => type === 'MessageSent').next()
  await expect(first('pair-a_b')).rejects.toThrow('Waved is no event of this release')
  expect((await first('pair-c_d')).done).toBe(true)
})

/** A copy that a member has asked for and that meets what a later release wrote: its job was at it, and comes again later. */
async function askBehindLater(): Promise<string> {
  const [ann, bea] = [await world.join('Ann'), await world.join('Bea')]
  await world.settled()
  await world.match(ann, bea)
  await world.settled()
  const stream = `pair-${[ann.id, bea.id].sort().join('_')}`
  const { length } = await world.core.log.read(stream, 0)
  await world.core.log.append(stream, length - 1, [fromLater('Waved')])
  const { json } = await ask(world, ann)
  const later = 'select from job.jobs where key like $1 and locked_at is null and run_at > now()'
  const { pool } = world.core.storage
  await until('its job comes again', async () => (await pool.query(later, [`%${json.id}%`])).rows.length > 0)
  return json.id
}

test('a copy that meets what a later release wrote counts no try, and comes again', async () => {
  const row = world.core.storage.app.selectFrom('data_export').selectAll().where('id', '=', id)
  expect(await row.executeTakeFirstOrThrow()).toMatchObject({ state: 'preparing', tries: 0 })
})

test('a copy that waits for a later release is reported once, without whose it is', async () => {
  const { core, services, publicUrl, context, dataDir } = world
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const files = createExportFiles(join(dataDir, 'exports'))
  const work = createExportWork({ db: core.storage.app, now: context.now, files })
  const logger = createLogger({ destination })
  const workOnExport = createExporter({ core, services, work, publicUrl, now: context.now, logger })
  const { signal } = new AbortController()
  for (const _ of [1, 2]) expect(await workOnExport(id, signal)).toBe(30_000)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 40,
    time: expect.any(String),
    kind: 'export',
    errorName: 'TooNewEvent',
    errorAt: expect.any(String),
    msg: 'An export waits for a later release.',
  })
})
