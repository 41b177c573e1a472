import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyRing } from '../../eventstore/keys.ts'
import { type Rig, startRig } from './rig.ts'

const CACHED_MOST = 4
const SUBJECTS = Array.from({ length: 12 }, (_, n) => `subject-${n}`)
const masterKey = randomBytes(32)

let rig: Rig
let sealed: Map<string, string>
const smallRing = () => createKeyRing(rig.pool, masterKey, CACHED_MOST)

beforeAll(async () => {
  rig = await startRig()
  sealed = await smallRing().ensure(
    SUBJECTS,
    (keys) => new Map(SUBJECTS.map((subject) => [subject, keys.encrypt(subject, 'context', `words of ${subject}`)])),
  )
})
afterAll(() => rig.stop())

const opened = (ring: ReturnType<typeof smallRing>, subjects: readonly string[]) =>
  ring.load(subjects, (keys) => subjects.map((subject) => keys.decrypt(subject, 'context', sealed.get(subject)!)))
const words = (subjects: readonly string[]) => subjects.map((subject) => `words of ${subject}`)

test('what a call uses stays in a full cache, also what was there before', async () => {
  const ring = smallRing()
  for (let first = 0; first < SUBJECTS.length; first++) {
    const some = [...SUBJECTS.slice(first), ...SUBJECTS.slice(0, first)].slice(0, 5)
    expect(await opened(ring, some)).toEqual(words(some))
  }
})

test('calls at once, each larger than the cache, open everything they ask for', async () => {
  const ring = smallRing()
  const asked = Array.from({ length: 40 }, (_, n) =>
    [...SUBJECTS.slice(n % 12), ...SUBJECTS.slice(0, n % 12)].slice(n % 5),
  )
  const answers = await Promise.all(asked.map((subjects) => opened(ring, subjects)))
  expect(answers).toEqual(asked.map(words))
})

test('a destroyed key opens nothing and is not made again, in a full cache too', async () => {
  const ring = smallRing()
  const gone = 'subject-gone'
  const text = await ring.ensure([gone], (keys) => keys.encrypt(gone, 'context', 'words'))
  await ring.destroy(gone)
  await opened(ring, SUBJECTS)
  const open = (keys: { decrypt: (subject: string, context: string, encrypted: string) => string | null }) =>
    keys.decrypt(gone, 'context', text)
  expect(await ring.load([gone], open)).toBeNull()
  expect(await ring.ensure([gone], open)).toBeNull()
})

test('a key that nobody asked for is an error, not the key of somebody erased', async () => {
  const ring = smallRing()
  await opened(ring, ['subject-0'])
  const other = ring.load(['subject-0'], (keys) => keys.decrypt('subject-1', 'context', sealed.get('subject-1')!))
  await expect(other).rejects.toThrow('not asked for')
})
