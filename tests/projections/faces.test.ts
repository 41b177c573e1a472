import { expect, test } from 'vitest'
import { DEFAULT_FIELD_VISIBILITY } from '../../domain/profile/choices.ts'
import { avatarForMatch } from '../../projections/relations/queries.ts'
import { findFace, loadFaces } from '../../projections/view/cards.ts'
import { ann, bea, blocked, buzzed, cat, erased, matched, mediaId, T0, unmatched } from '../support/people.ts'
import { readOfTests } from '../support/read-of-tests.ts'

const AVATAR = mediaId('Bea1')
const { having } = readOfTests(['Ann', 'Bea', 'Cat'], {
  media_blur: [{ original: AVATAR, blurred: mediaId('soft') }],
})
const SOFT = { firstName: 'Bea', photo: `/media/${mediaId('soft')}`, matched: false }
const photosOf = (level: 'matches' | 'hidden') =>
  ({
    type: 'FieldVisibilitySet',
    member: bea,
    fieldVisibility: { ...DEFAULT_FIELD_VISIBILITY, photos: level },
    at: T0,
  }) as const

test('the face of a match is the avatar itself, as everywhere that matches meet', async () => {
  for (const level of ['matches', 'hidden'] as const) {
    const db = await having(...matched(ann, bea), photosOf(level))
    const photo = avatarForMatch(AVATAR, { photos: level })
    expect((await loadFaces(db, ann, [bea])).get(bea)).toEqual({ firstName: 'Bea', photo, matched: true })
  }
})

test('a stranger sees the blurred picture alone, and of who blocked them none', async () => {
  const db = await having(buzzed(bea, ann), photosOf('matches'), blocked(bea, cat))
  expect((await loadFaces(db, ann, [bea])).get(bea)).toEqual(SOFT)
  expect((await loadFaces(db, cat, [bea])).get(bea)).toMatchObject({ photo: null, matched: false })
})

test('who has news for a member has a face, blurred until they match; nobody else has one', async () => {
  const face = async (...events: Parameters<typeof having>) => findFace(await having(...events), ann, bea)
  expect(await face(buzzed(bea, ann))).toEqual(SOFT)
  expect(await face(...matched(bea, ann))).toMatchObject({ firstName: 'Bea', photo: `/media/${AVATAR}`, matched: true })
  expect(await face(buzzed(ann, bea))).toBeNull()
  expect(await face()).toBeNull()
})

test.each([
  ['a block', blocked(bea, ann)],
  ['an own block', blocked(ann, bea)],
  ['a withdrawal', { type: 'BuzzWithdrawn', from: bea, to: ann, at: T0 } as const],
  ['a deactivation', { type: 'AccountDeactivated', member: bea, at: T0 } as const],
  ['an erasure', erased(bea)],
])('%s takes the face of who buzzed away', async (_what, event) => {
  expect(await findFace(await having(buzzed(bea, ann), event), ann, bea)).toBeNull()
})

test('an unmatch takes the face away', async () => {
  expect(await findFace(await having(...matched(bea, ann), unmatched(bea, ann)), ann, bea)).toBeNull()
})
