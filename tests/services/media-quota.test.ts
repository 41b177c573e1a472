import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createMediaFiles } from '../../services/media/media.ts'
import { keepWithinQuota, type MediaOwner, QUOTA } from '../../services/media/records.ts'
import { randomId } from '../../services/random-id.ts'
import { createSignupProofs } from '../../services/signup-proofs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { appDatabase, MASTER_KEY, testClock } from './support/app.ts'
import { mediaIn, workers } from './support/media.ts'
import { jpeg } from './support/pictures.ts'

const app = appDatabase()
const now = testClock()
const MIB = 1024 * 1024
const VISITOR = { network: '192.0.2.1' }
const member = () => ({ member: randomId() as MemberId })
const FULL = { ok: false, reason: 'storage-full' }

/** `written` counts the files that the store was given. */
function start() {
  const { now, store } = mediaIn(tempDir(), app)
  const written: string[] = []
  const counting: typeof store = {
    ...store,
    write: (id, content) => {
      written.push(id)
      return store.write(id, content)
    },
  }
  return { written, media: createMediaFiles({ db: app.db, now, store: counting, masterKey: MASTER_KEY, workers }) }
}

const rowOf = (owner: MediaOwner, bytes: number) => ({
  id: randomId(),
  owner: 'member' in owner ? owner.member : null,
  proof: 'proof' in owner ? owner.proof : null,
  purpose: 'photo',
  kind: 'video',
  mime: 'video/mp4',
  width: null,
  height: null,
  seconds: null,
  bytes,
  placeholder: null,
  blurred_id: null,
  poster_id: null,
  original_id: null,
  created_at: new Date(),
  attached_at: null,
  deleted_at: null,
})
const fill = async (owner: MediaOwner, bytes: number) => {
  await app.db.insertInto('media').values(rowOf(owner, bytes)).execute()
}

async function proofOf(emailKey: string) {
  const proofs = createSignupProofs({ db: app.db, now: testClock(), masterKey: MASTER_KEY })
  const { id } = await proofs.issue({ email: 'ann@example.com', emailKey })
  return { proof: id, ...VISITOR }
}

test('what does not fit is not written', async () => {
  const { media, written } = start()
  const owner = member()
  const file = await jpeg()
  expect(await media.upload({ owner, purpose: 'photo', file })).toMatchObject({ ok: true })
  expect(written).toHaveLength(4)
  await fill(owner, QUOTA.bytes - 10_000)
  expect(await media.upload({ owner, purpose: 'photo', file })).toEqual(FULL)
  expect(written).toHaveLength(4)
})

test('a disk that stands still keeps no more than two connections from others', async () => {
  const { now, store } = mediaIn(tempDir(), app)
  const owners = Array.from({ length: 12 }, member)
  let goOn = () => {}
  const still = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const slow: typeof store = { ...store, write: (id, content) => still.then(() => store.write(id, content)) }
  let parsed = 0
  const counting: typeof workers = { ...workers, parse: (...one) => workers.parse(...one).finally(() => parsed++) }
  const media = createMediaFiles({ db: app.db, now, store: slow, masterKey: MASTER_KEY, workers: counting })
  const file = await jpeg()
  const uploads = owners.map((owner) => media.upload({ owner, purpose: 'photo', file }))
  const waiting = () =>
    app.db
      .selectFrom('media')
      .select('id')
      .where(
        'owner',
        'in',
        owners.map(({ member }) => member),
      )
      .execute()
  await until('every file is parsed', () => parsed === owners.length)
  expect(await Promise.all(Array.from({ length: 8 }, waiting))).toEqual(Array.from({ length: 8 }, () => []))
  goOn()
  expect((await Promise.all(uploads)).filter(({ ok }) => ok)).toHaveLength(12)
})

test('all proofs of one address have room for as many bytes as a member', async () => {
  const { media, written } = start()
  const [key, other] = [randomId(), randomId()]
  const [first, second, elsewhere] = [await proofOf(key), await proofOf(key), await proofOf(other)]
  await fill(first, QUOTA.bytes - 1000)
  const upload = async (owner: typeof first) => media.upload({ owner, purpose: 'photo', file: await jpeg() })
  expect(await upload(first)).toEqual(FULL)
  expect(await upload(second)).toEqual(FULL)
  expect(written).toEqual([])
  expect(await upload(elsewhere)).toMatchObject({ ok: true })
})

test('nine videos as large as they may be, and a voice, fit in', async () => {
  const owner = await proofOf(randomId())
  const keep = (bytes: number, kind = 'video') =>
    keepWithinQuota(app.db, owner, {
      rows: [{ ...rowOf(owner, bytes), kind }],
      forms: [],
      write: async () => undefined,
      at: now(),
    })
  for (let n = 0; n < 9; n++) expect(await keep(50 * MIB)).toBeNull()
  expect(await keep(5 * MIB, 'audio')).toBeNull()
  expect(await keep(1)).toEqual({ ok: false, reason: 'signup-full' })
})

test('uploads that end at the same moment share one quota, and none is written beyond it', async () => {
  const key = randomId()
  const owners: MediaOwner[][] = [[member()], [await proofOf(key), await proofOf(key)]]
  for (const [one = member(), another = one] of owners) {
    let bytes = 0
    const keep = async (owner: MediaOwner) => {
      const row = rowOf(owner, 40 * MIB)
      const write = async () => {
        bytes += row.bytes
      }
      return keepWithinQuota(app.db, owner, { rows: [row], forms: [], write, at: now() })
    }
    const refusals = await Promise.all(Array.from({ length: 30 }, (_, n) => keep(n % 2 ? one : another)))
    expect(refusals.filter((refusal) => refusal === null)).toHaveLength(12)
    expect(bytes).toBe(480 * MIB)
  }
})

test('a visitor has nine pictures at most, also by many uploads at once', async () => {
  const owner = await proofOf(randomId())
  const keep = () =>
    keepWithinQuota(app.db, owner, { rows: [rowOf(owner, 1000)], forms: [], write: async () => undefined, at: now() })
  const refusals = await Promise.all(Array.from({ length: 60 }, keep))
  expect(refusals.filter((refusal) => refusal === null)).toHaveLength(9)
})
