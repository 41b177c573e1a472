import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createKeyRing } from '../../eventstore/keys.ts'
import { type Rig, startRig } from './rig.ts'

const CACHED_MOST = 4
const SUBJECTS = Array.from({ length: 12 }, (_, n) => `subject-${n}`)
const masterKey = randomBytes(32)

let rig: Rig
let encrypted: Map<string, string>
const smallRing = () => createKeyRing(rig.pool, masterKey, CACHED_MOST)

beforeAll(async () => {
  rig = await startRig()
  encrypted = await smallRing().ensure(
    SUBJECTS,
    (keys) => new Map(SUBJECTS.map((subject) => [subject, keys.encrypt(subject, 'context', `words of ${subject}`)])),
  )
})
afterAll(() => rig.stop())

const opened = (ring: ReturnType<typeof smallRing>, subjects: readonly string[]) =>
  ring.load(subjects, (keys) => subjects.map((subject) => keys.decrypt(subject, 'context', encrypted.get(subject)!)))
const words = (subjects: readonly string[]) => subjects.map((subject) => `words of ${subject}`)

test('what a call uses stays in a full cache, also what was there before', async () => {
  const ring = smallRing()
  for (let first = 0; first < SUBJECTS.length; first++) {
    const some = [...SUBJECTS.slice(first), ...SUBJECTS.slice(0, first)].slice(0, 5)
    expect(await opened(ring, some)).toEqual(words(some))
  }
})

test('of a full cache what was used last stays', async () => {
  const queries = vi.spyOn(rig.pool, 'query')
  const ring = smallRing()
  for (const subject of ['subject-0', 'subject-1', 'subject-2', 'subject-3', 'subject-0', 'subject-4']) {
    await opened(ring, [subject])
  }
  const before = queries.mock.calls.length
  expect(await opened(ring, ['subject-0', 'subject-3', 'subject-4'])).toEqual(
    words(['subject-0', 'subject-3', 'subject-4']),
  )
  expect(queries.mock.calls.length - before).toBe(0)
  await opened(ring, ['subject-1'])
  expect(queries.mock.calls.length - before).toBe(1)
  queries.mockRestore()
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
  const open = (keys: { decrypt: (subject: string, context: string, text: string) => string | null }) =>
    keys.decrypt(gone, 'context', text)
  expect(await ring.load([gone], open)).toBeNull()
  expect(await ring.ensure([gone], open)).toBeNull()
})

test('a key that nobody asked for is an error, not the key of somebody erased', async () => {
  const ring = smallRing()
  await opened(ring, ['subject-0'])
  const other = ring.load(['subject-0'], (keys) => keys.decrypt('subject-1', 'context', encrypted.get('subject-1')!))
  await expect(other).rejects.toThrow('not asked for')
})
