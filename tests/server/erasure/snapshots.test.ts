import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { pairDecider } from '../../../domain/pair/decider.ts'
import { type MessageId, pairIdOf } from '../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { restoreBackup } from '../../../server/tools/backup/restore.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { emptyTarget, sourceOf, startOn } from '../backup/rig.ts'
import { dumpOf, findIn } from './places.ts'

const MESSAGES = 450
const AT_ONCE = 150

let world: World
let ann: Person
let bea: Person
let cat: Person
beforeAll(async () => {
  world = await startWorld({ web: false })
  ;[ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  for (const other of [ann, cat]) {
    await world.match(other, bea)
    await world.settled()
    await writeMany(other, bea)
    await world.core.loadState(pairDecider, idOf(other))
  }
  await until('the snapshots', async () => (await rows()).length === 2)
})
afterAll(() => world.stop())

const idOf = (who: Person) => pairIdOf(who.id, bea.id)
async function rows(pool = world.core.storage.pool): Promise<string[]> {
  const { rows } = await pool.query<{ stream: string }>('select stream from app.snapshot order by stream')
  return rows.map(({ stream }) => stream)
}

/** As if they had written for months. */
async function writeMany(from: Person, to: Person): Promise<void> {
  const { log, codec } = world.core
  const stream = `pair-${pairIdOf(from.id, to.id)}`
  const begun = (await log.read(stream)).length
  for (let done = 0; done < MESSAGES; done += AT_ONCE) {
    const ids = Array.from({ length: AT_ONCE }, (_, at) => uuidFrom(stream, done + at))
    const events = ids.map((id, at): DomainEvent => {
      const sent = { message: id as string as MessageId, number: done + at + 1, from: from.id, to: to.id }
      return { type: 'MessageSent', ...sent, text: `A xylophone of ${from.name}`, media: null, at: new Date() }
    })
    const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: from.id }
    await log.append(stream, begun + done - 1, await codec.encode(stream, events, ids, meta))
  }
}

test('a snapshot has no word that anybody wrote', async () => {
  const snapshots = new Map([...(await dumpOf(world.stores.database))].filter(([name]) => name === 'app.snapshot'))
  expect(snapshots.size).toBe(1)
  expect(findIn(snapshots, [idOf(ann)])).toHaveLength(1)
  expect(findIn(snapshots, ['xylophone', ann.email])).toEqual([])
})

test('a backup has no snapshot, and what comes back from it needs none', async () => {
  const folder = makeTempDir('letsbuzz-backup-')
  const { manifest } = await createBackup(sourceOf(world), join(folder, 'one'))
  expect(manifest.tables.map(({ name }) => name)).not.toContain('snapshot')
  const target = await emptyTarget(world)
  await restoreBackup(target, join(folder, 'one'))
  const restored = await startOn(target, world)
  const { core } = restored.product
  expect(await rows(core.storage.pool)).toEqual([])
  expect(await core.loadState(pairDecider, idOf(cat))).toEqual(await world.core.loadState(pairDecider, idOf(cat)))
  await until('a snapshot of its own', async () => (await rows(core.storage.pool)).length === 1)
  await restored.stop()
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

test('an erasure counts and removes the snapshots of the member, and those of nobody else', async () => {
  const look = () => world.services.erasure.look({ member: ann.id, emailKey: null })
  const before = await look()
  await world.core.storage.pool.query('delete from app.snapshot where stream = $1', [`pair-${idOf(ann)}`])
  expect((await look()).left).toBe(before.left - 1)
  world.core.keys.forget(ann.id)
  await world.core.loadState(pairDecider, idOf(ann))
  await until('it is back', async () => (await rows()).length === 2)
  const erasing = erasingOf({ ...world.product, now: () => new Date() }, 'admin:test')
  expect(await eraseAccount(erasing, ann.id)).toMatchObject({ ok: true })
  await world.settled()
  expect(await rows()).toEqual([`pair-${idOf(cat)}`])
  expect((await look()).left).toBe(0)
  expect(await world.core.loadState(pairDecider, idOf(ann))).toMatchObject({ messages: MESSAGES })
})
