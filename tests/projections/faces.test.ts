import { expect, test } from 'vitest'
import { DEFAULT_FIELD_VISIBILITY } from '../../domain/profile/choices.ts'
import { avatarForMatch } from '../../projections/relations/queries.ts'
import { loadFaces } from '../../projections/view/cards.ts'
import { ann, bea, blocked, buzzed, cat, matched, mediaId, T0 } from '../support/people.ts'
import { readOfTests } from '../support/read-of-tests.ts'

const AVATAR = mediaId('Bea1')
const { having } = readOfTests(['Ann', 'Bea', 'Cat'], {
  media_blur: [{ original: AVATAR, blurred: mediaId('soft') }],
})
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
    expect((await loadFaces(db, ann, [bea])).get(bea)).toEqual({ photo, matched: true })
  }
})

test('a stranger sees the blurred picture alone, and of who blocked them none', async () => {
  const db = await having(buzzed(bea, ann), photosOf('matches'), blocked(bea, cat))
  expect((await loadFaces(db, ann, [bea])).get(bea)).toEqual({ photo: `/media/${mediaId('soft')}`, matched: false })
  expect((await loadFaces(db, cat, [bea])).get(bea)).toEqual({ photo: null, matched: false })
})
