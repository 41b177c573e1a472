import { readdirSync } from 'node:fs'
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createMediaRemoval } from '../../../services/media/removal.ts'
import { randomId } from '../../../services/random-id.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appDatabase } from '../support/app.ts'
import { mediaIn } from '../support/media.ts'
import { jpeg } from '../support/pictures.ts'

const app = appDatabase()
const A_DAY = 86_400_000
const stray = Buffer.from('stray')

function start() {
  const world = mediaIn(tempDir(), app)
  world.now.pass(Date.now() - world.now().getTime())
  const files = () =>
    readdirSync(world.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .toSorted()
  return { ...world, files }
}

/** Statements that the handle asks. */
function counted() {
  const seen = { queries: 0 }
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      seen.queries++
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: app.db.withPlugin(counting), seen }
}

test('the sweep asks of very many files which are known in few statements, and removes the others once they are old', async () => {
  const { media, store, now, files } = start()
  const owner = { member: randomId() as MemberId }
  const uploaded = await media.upload({ owner, purpose: 'photo', file: await jpeg(400, 500) })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  await media.attach(owner, [{ id: uploaded.media.id, purposes: ['photo'] }])
  const known = files()
  expect(known.length).toBeGreaterThan(5)
  for (let n = 0; n < 1_100; n++) await store.write(randomId(), stray)
  const { db, seen } = counted()
  const { sweep } = createMediaRemoval({ db, now, store })
  expect(await sweep()).toBe(0)
  expect(files()).toHaveLength(1_100 + known.length)
  now.pass(A_DAY + 60_000)
  seen.queries = 0
  expect(await sweep()).toBe(1_100)
  expect(seen.queries).toBeLessThan(20)
  expect(files()).toEqual(known)
})

test('files are listed folder by folder, so that all of them are never in memory', async () => {
  const { store } = start()
  const [first, last, later] = [`aa${randomId()}`, `zz${randomId()}`, `zz${randomId()}`]
  for (const id of [first, last]) await store.write(id, stray)
  const seen: string[] = []
  for await (const id of store.ids()) {
    if (seen.length === 0) await store.write(later, stray)
    seen.push(id)
  }
  expect(seen[0]).toBe(first)
  expect(seen.toSorted()).toEqual([first, last, later].toSorted())
})

test('old drafts are removed by the sweep, and new ones stay', async () => {
  const { media, store, now, files } = start()
  await store.withDrafts(async (newDraft) => {
    await newDraft()
    await media.sweep()
    expect(files()).toHaveLength(1)
    now.pass(A_DAY + 60_000)
    await media.sweep()
    expect(files()).toEqual([])
  })
})
