import { readdirSync } from 'node:fs'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { AppDb } from '../../../services/app-db.ts'
import { CommitUnknown } from '../../../services/media/commit.ts'
import type { DerivedRound } from '../../../services/media/derive.ts'
import { createMediaFiles } from '../../../services/media/media.ts'
import type { MediaStore } from '../../../services/media/store.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { mediaProgram } from '../../support/programs/media-program.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { until } from '../../support/until.ts'
import { appDatabase, MASTER_KEY } from '../support/app.ts'
import { losingCommit } from '../support/lost-commit.ts'
import { mediaIn, workers } from '../support/media.ts'
import { jpeg } from '../support/pictures.ts'

const app = appDatabase()
const AN_HOUR = 3_600_000
const noSpace = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
beforeEach(async () => void (await app.db.deleteFrom('media').execute()))

function start(own = workers, folder = tempDir()) {
  const world = mediaIn(folder, app, own)
  return {
    ...world,
    files: () =>
      readdirSync(world.root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .toSorted(),
    /** The same files with another store, or over another handle. */
    over: ({ store = world.store, db = app.db }: { store?: MediaStore; db?: AppDb }) =>
      createMediaFiles({ db, now: world.now, store, masterKey: MASTER_KEY, workers: own }),
    async add() {
      const owner = { member: randomId() as MemberId }
      const uploaded = await world.media.upload({ owner, purpose: 'photo', file: await jpeg(130, 140) })
      if (!uploaded.ok) throw new Error(uploaded.reason)
      world.now.pass(1_000)
      return uploaded.media.id
    },
  }
}
/** Of all uploads, each once. */
async function states() {
  const rows = await app.db
    .selectFrom('media')
    .select(['forms', 'forms_tries'])
    .distinct()
    .where('original_id', 'is', null)
    .execute()
  return rows.map(({ forms, forms_tries }) => `${forms} ${forms_tries}`)
}
const rowOf = (id: string) => app.db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const formsOf = async (id: string) => (await rowOf(id)).forms
const dueAt = async (id: string) => (await rowOf(id)).forms_due_at?.getTime() ?? 0
async function namedByRows(): Promise<string[]> {
  const own = await app.db.selectFrom('media').select('id as file').execute()
  const forms = await app.db.selectFrom('media_form').select('file').execute()
  return [...own, ...forms].map(({ file }) => file).toSorted()
}

test('a store that fails for hours is no fault of a picture, and a round asks it a few times alone', async () => {
  const { add, over, store, now } = start()
  for (let n = 0; n < 5; n++) await add()
  let isFull = true
  const media = over({
    store: {
      ...store,
      async withDrafts(work, sender) {
        if (isFull) throw noSpace()
        return store.withDrafts(work, sender)
      },
    },
  })
  const rounds: DerivedRound[] = []
  const end = now().getTime() + 3 * AN_HOUR
  while (now().getTime() < end) now.pass((await media.deriveForms({ report: (one) => rounds.push(one) })) ?? AN_HOUR)
  expect(rounds[0]).toEqual({ made: 0, failed: 0, givenUp: 0, postponed: 3, left: 5, error: noSpace() })
  expect(Math.max(...rounds.map(({ postponed }) => postponed))).toBe(3)
  expect(await states()).toEqual(['owed 0'])
  isFull = false
  for (let again = await media.deriveForms(); again !== null; again = await media.deriveForms()) now.pass(again)
  expect(await states()).toEqual(['made 0'])
})

test('a picture whose file is away keeps no other waiting', async () => {
  const { add, media, store } = start()
  const others = [await add(), await add()]
  await store.remove(await add())
  const rounds: DerivedRound[] = []
  await media.deriveForms({ report: (one) => rounds.push(one) })
  expect(rounds).toMatchObject([{ made: others.length, failed: 0, postponed: 1, left: 1 }])
})

test('pictures whose files are lost neither end a round nor keep an older one waiting', async () => {
  const { add, media, store } = start()
  const sound = await add()
  for (let n = 0; n < 4; n++) await store.remove(await add())
  const rounds: DerivedRound[] = []
  expect(await media.deriveForms({ report: (one) => rounds.push(one) })).toBeNull()
  expect(rounds).toMatchObject([{ made: 1, postponed: 4, left: 4 }])
  expect(await formsOf(sound)).toBe('made')
})

test('a picture that was never tried comes before those that are due again', async () => {
  const { add, media, store, now } = start()
  const sound = await add()
  await app.db
    .updateTable('media')
    .set({ forms_due_at: new Date(0) })
    .where('id', '=', sound)
    .execute()
  const lost: string[] = []
  for (let n = 0; n < 10; n++) lost.push(await add())
  for (const id of lost) await store.remove(id)
  const older = await add()
  const longAgo = new Date(now().getTime() - AN_HOUR)
  await app.db.updateTable('media').set({ created_at: longAgo }).where('id', '=', older).execute()
  await app.db.updateTable('media').set({ forms_due_at: longAgo }).where('id', 'in', lost).execute()
  await media.deriveForms()
  expect([await formsOf(older), await formsOf(sound)]).toEqual(['made', 'made'])
})

test('a picture whose file is lost is tried ever more rarely, and as any other once it is there', async () => {
  const { add, media, store, now } = start()
  const id = await add()
  const content = await store.read(id)
  await store.remove(id)
  const waits: number[] = []
  for (let n = 0; n < 7; n++) {
    expect(await media.deriveForms()).toBeNull()
    waits.push((await dueAt(id)) - now().getTime())
    now.pass(waits.at(-1) ?? 0)
  }
  expect(waits.map((ms) => ms / AN_HOUR)).toEqual([1, 2, 4, 8, 16, 24, 24])
  await store.write(id, Buffer.from('no picture'))
  expect(await media.deriveForms()).toBeGreaterThan(0)
  expect(await states()).toEqual(['owed 1'])
  await store.write(id, content)
  now.pass(AN_HOUR)
  expect(await media.deriveForms()).toBeNull()
  expect(await formsOf(id)).toBe('made')
})

test('a process that somebody else ends is no fault of a picture, and others wait where three end in a row', async () => {
  const own = createMediaWorkers({ program: mediaProgram() })
  onTestFinished(() => own.stop())
  const killed: typeof workers = {
    ...own,
    async derive(asked) {
      const derived = own.derive(asked)
      process.kill(await until('it runs', () => own.pids()[0]), 'SIGKILL')
      return derived
    },
  }
  const folder = tempDir()
  const sound = start(workers, folder)
  for (let n = 0; n < 4; n++) await sound.add()
  const rounds: DerivedRound[] = []
  const { media } = start(killed, folder)
  expect(await media.deriveForms({ report: (one) => rounds.push(one) })).toBe(60_000)
  expect(rounds).toMatchObject([{ made: 0, failed: 0, postponed: 3, left: 4 }])
  expect(await states()).toEqual(['owed 0'])
})

test('a stop ends a round behind the form that is being made', async () => {
  const stop = new AbortController()
  let asks = 0
  const stopping: typeof workers = {
    ...workers,
    derive(asked) {
      asks++
      stop.abort()
      return workers.derive(asked)
    },
  }
  const { add, media } = start(stopping)
  await add()
  await media.deriveForms({ signal: stop.signal })
  expect([asks, await states()]).toEqual([1, ['owed 0']])
})

test('forms whose commit is not answered keep their files', async () => {
  const { add, over, files } = start()
  await add()
  const before = files().length
  await over({ db: losingCommit(app.db) }).deriveForms()
  expect(await namedByRows()).toEqual(files())
  expect(files().length).toBeGreaterThan(before)
})

test('an upload whose commit is not answered keeps its files', async () => {
  const { over, files } = start()
  const owner = { member: randomId() as MemberId }
  const upload = over({ db: losingCommit(app.db) }).upload({ owner, purpose: 'photo', file: await jpeg(130, 140) })
  await expect(upload).rejects.toBeInstanceOf(CommitUnknown)
  expect(await namedByRows()).toEqual(files())
  expect(files().length).toBeGreaterThan(1)
})

test('what is written before the store fails is removed at once', async () => {
  const { add, over, store, files } = start()
  await add()
  const before = files()
  let written = 0
  const write: MediaStore['write'] = async (id, content) => {
    await store.write(id, content)
    if (++written === 2) throw noSpace()
  }
  const media = over({ store: { ...store, write } })
  await media.deriveForms()
  expect([written > 1, files()]).toEqual([true, before])
  const owner = { member: randomId() as MemberId }
  await expect(media.upload({ owner, purpose: 'photo', file: await jpeg(130, 140) })).resolves.toMatchObject({
    ok: true,
  })
})
