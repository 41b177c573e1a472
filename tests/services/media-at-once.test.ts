import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { handOver } from '../../services/media/hand-over.ts'
import { attach, type Claim } from '../../services/media/records.ts'
import { ORPHAN_MS } from '../../services/media/removal.ts'
import { randomId } from '../../services/random-id.ts'
import { createSignupProofs } from '../../services/signup-proofs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { appDatabase, MASTER_KEY, testClock } from './support/app.ts'
import { mediaIn } from './support/media.ts'
import { jpeg } from './support/pictures.ts'

const app = appDatabase()
const LEASE = 'mine'
const claimOf = (id: string): Claim => ({ id, purposes: ['photo'] })

/** A visitor whose registration is at work, and who has uploaded one photo. */
async function visitor() {
  const world = mediaIn(tempDir(), app)
  const proofs = createSignupProofs({ db: app.db, now: testClock(), masterKey: MASTER_KEY })
  const { id: proof, token } = await proofs.issue({ email: 'ann@example.com', emailKey: randomId() })
  await proofs.lease(token, LEASE)
  const file = await jpeg(40, 40)
  const uploaded = await world.media.upload({ owner: { proof, network: proof }, purpose: 'photo', file })
  if (!uploaded.ok) throw new Error(uploaded.reason)
  const member = randomId() as MemberId
  return { ...world, proof, member, photo: uploaded.media, under: { proof, lease: LEASE } }
}

/** Somebody waits for a row that another has locked. */
const someoneWaits = () =>
  until('a wait for a lock', async () => {
    const waiting = app.db
      .withTables<{ 'pg_catalog.pg_locks': { granted: boolean } }>()
      .selectFrom('pg_catalog.pg_locks')
    return (await waiting.select('granted').where('granted', '=', false).execute()).length > 0
  })

test('an upload that is handed over while its visitor removes it stays', async () => {
  const { media, proof, member, photo, under } = await visitor()
  const { removal } = await app.db.transaction().execute(async (tx) => {
    const claims = [claimOf(photo.id)]
    expect(await handOver(tx, new Date(), { under, registrant: { proof, member }, claims })).toBe('done')
    const removal = media.remove(photo.id, { proof })
    await someoneWaits()
    return { removal }
  })
  expect(await removal).toBe(false)
  expect(await media.find(photo.id)).toMatchObject({ owner: { member } })
  expect((await media.open(photo.id)).ok).toBe(true)
})

test('an upload that comes into use while the sweep looks for what is unused stays', async () => {
  const { media, member, photo, under, now } = await visitor()
  await media.handOver(under, member, [])
  now.pass(Date.now() - now().getTime() + ORPHAN_MS + 1)
  const { sweep } = await app.db.transaction().execute(async (tx) => {
    expect(await attach(tx, new Date(), { member }, [claimOf(photo.id)])).toHaveLength(1)
    const sweep = media.sweep()
    await someoneWaits()
    return { sweep }
  })
  await sweep
  expect((await media.open(photo.id)).ok).toBe(true)
})

test('uploads are handed over, used, removed and swept at once, and nobody is in another’s way', async () => {
  const { media, proof, member, photo, under } = await visitor()
  const row = await app.db.selectFrom('media').selectAll().where('id', '=', photo.id).executeTakeFirstOrThrow()
  const failures: unknown[] = []
  for (let round = 0; round < 60; round++) {
    const uploads = Array.from({ length: 8 }, () => ({ ...row, id: randomId(), blurred_id: null }))
    const derived = uploads.map(({ id }) => ({ ...row, id: randomId(), blurred_id: null, original_id: id }))
    await app.db
      .insertInto('media')
      .values([...uploads, ...derived])
      .execute()
    const ids = uploads.map(({ id }) => id)
    const claims = ids.slice(0, 4).map(claimOf)
    const results = await Promise.allSettled([
      media.handOver(under, member, claims),
      media.removeAll({ proof }),
      media.attach({ proof }, [...claims].reverse()),
      media.remove(ids[7] ?? '', { proof }),
      media.sweep(),
      media.removeAll({ member }),
    ])
    failures.push(...results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])))
  }
  expect(failures).toEqual([])
})
