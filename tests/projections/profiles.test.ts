import { describe, expect, test } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { cellAt, DISCOVER_CELL_M } from '../../domain/shared/grid.ts'
import type { MediaId, MemberId } from '../../domain/shared/ids.ts'
import { findAccountState } from '../../projections/accounts/queries.ts'
import { findProfile, getSelf, listFirstNames } from '../../projections/profiles/queries.ts'
import { findAccess, mayBuzz } from '../../projections/view/access.ts'
import type { FetchedMedia } from '../../projections/view/media-access.ts'
import {
  ann,
  bea,
  blocked,
  buzzed,
  cat,
  erased,
  matched,
  mediaId,
  messageId,
  minute,
  T0,
  unmatched,
} from '../support/people.ts'
import { readOfTests } from '../support/read-of-tests.ts'
import { wrong } from '../support/wrong.ts'
import { mayFetch } from './fetched-media.ts'

const nowhere = 'nobody00000000000000000x' as MemberId
const now = { now: T0 }
const media_blur = ['Ann1', 'Ann2', 'Bea1', 'Bea2'].map((name) => ({ original: mediaId(name), blurred: `blur${name}` }))
const placeOf = (member: MemberId, lat: number, lng: number) => {
  const { row, col, ...centre } = cellAt({ lat, lng }, DISCOVER_CELL_M)
  return { member, cell_row: row, cell_col: col, ...centre }
}
const member_cell = [placeOf(ann, 48.85, 2.35), placeOf(bea, 48.9, 2.35)]
const { having } = readOfTests(['Ann', 'Bea', 'Cat'], { media_blur, member_cell })
const mode = (visibilityMode: 'auto' | 'limited' | 'full'): DomainEvent => ({
  type: 'VisibilityModeChanged',
  member: bea,
  visibilityMode,
  at: T0,
})
const photosFor = (photos: 'public' | 'matches' | 'hidden'): DomainEvent => ({
  type: 'FieldVisibilitySet',
  member: bea,
  fieldVisibility: wrong({ photos }),
  at: T0,
})

test('a locked profile gives name, age, the band of the distance and blurred photos', async () => {
  const db = await having(buzzed(ann, bea))
  expect(await findProfile(db, ann, bea, now)).toEqual({
    access: 'locked',
    matched: false,
    likedByMe: true,
    likedMe: false,
    preview: false,
    blocked: false,
    user: {
      id: bea,
      firstName: 'Bea',
      visibilityMode: 'auto',
      age: 29,
      avatar: '/media/blurBea1',
      distanceBand: 'less than 5 mi',
      photos: [
        { url: '/media/blurBea1', blurred: true },
        { url: '/media/blurBea2', blurred: true },
      ],
    },
  })
})

test('a match sees the last name and the pictures themselves', async () => {
  const db = await having(...matched(ann, bea))
  const answer = await findProfile(db, ann, bea, { ...now, online: true })
  expect(answer).toMatchObject({ access: 'matched', matched: true, user: { lastName: 'Beason', online: true } })
  expect(answer?.user).toMatchObject({
    photos: [{ url: `/media/${mediaId('Bea1')}` }, { url: `/media/${mediaId('Bea2')}` }],
  })
})

test('one body answers for hidden, deactivated and having blocked the viewer', async () => {
  const hidden: DomainEvent = { type: 'VisibilityChanged', member: bea, visibility: 'invisible', at: T0 }
  const left: DomainEvent = { type: 'AccountDeactivated', member: bea, at: T0 }
  const answers = []
  for (const event of [hidden, left, blocked(bea, ann)])
    answers.push(await findProfile(await having(event), ann, bea, now))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ access: 'unavailable', user: null })
})

test('a blocked member shows as first name alone to who blocked them', async () => {
  const db = await having(...matched(ann, bea), blocked(ann, bea))
  expect(await findProfile(db, ann, bea, now)).toEqual({
    access: 'blocked-by-me',
    user: { id: bea, firstName: 'Bea' },
    blocked: true,
    matched: false,
    likedByMe: false,
    likedMe: false,
    preview: false,
  })
})

test('a blocked member has no name where a 403 would answer without the block', async () => {
  const hidden: DomainEvent = { type: 'VisibilityChanged', member: bea, visibility: 'invisible', at: T0 }
  const left: DomainEvent = { type: 'AccountDeactivated', member: bea, at: T0 }
  const answers = []
  for (const event of [hidden, left, blocked(bea, ann)])
    answers.push(await findProfile(await having(blocked(ann, bea), event), ann, bea, now))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ access: 'blocked-by-me', user: { id: bea, firstName: '' }, blocked: true })
})

test('nobody is found where nobody is: unknown, erased, suspended', async () => {
  const suspended: DomainEvent = { type: 'AccountSuspended', member: bea, reason: 'x', at: T0 }
  for (const [id, ...events] of [[nowhere], [bea, erased(bea)], [bea, suspended]] as [MemberId, ...DomainEvent[]][])
    expect(await findProfile(await having(...events), ann, id, now)).toBeNull()
})

test('one sees all of oneself, and an erased member has no row', async () => {
  const db = await having({ type: 'VoiceIntroSet', member: ann, media: mediaId('voice'), at: T0 })
  expect(await getSelf(db, ann, T0)).toMatchObject({
    id: ann,
    email: 'ann@example.com',
    lastName: 'Annson',
    dob: '2000-06-15',
    age: 29,
    zodiac: 'Gemini',
    favorites: [`voice:/media/${mediaId('voice')}`, 'blur:clear'],
    visibility: 'active',
  })
  const gone = await having(erased(ann))
  await expect(getSelf(gone, ann, T0)).rejects.toThrow()
  expect(await findAccountState(gone, ann)).toBeNull()
  expect(await listFirstNames(gone, [ann, bea])).toEqual(
    new Map([
      [ann, 'Deleted member'],
      [bea, 'Bea'],
    ]),
  )
})

test('an account stands where its last event put it', async () => {
  const left: DomainEvent = { type: 'AccountDeactivated', member: ann, at: T0 }
  expect(await findAccountState(await having(left), ann)).toEqual({
    status: 'deactivated',
    started: true,
    demo: false,
  })
  const back: DomainEvent = { type: 'AccountReactivated', member: ann, at: T0 }
  expect((await findAccountState(await having(left, back), ann))?.status).toBe('active')
})

test('a hidden member can be buzzed by those they like alone', async () => {
  const hidden: DomainEvent = { type: 'VisibilityChanged', member: bea, visibility: 'invisible', at: T0 }
  const db = await having(buzzed(bea, ann), hidden)
  expect([await mayBuzz(db, ann, bea), await mayBuzz(db, cat, bea), await mayBuzz(db, ann, nowhere)]).toEqual([
    true,
    false,
    null,
  ])
  expect(await mayBuzz(await having(buzzed(bea, ann), blocked(bea, ann)), ann, bea)).toBe(false)
})

describe('a picture', () => {
  const sharp: FetchedMedia = { id: mediaId('Bea1'), owner: bea, purpose: 'photo', isBlurred: false, originalId: null }
  const blurred: FetchedMedia = { ...sharp, id: 'blurBea1' as MediaId, isBlurred: true, originalId: sharp.id }
  const fetch = async (viewer: MemberId, ...events: DomainEvent[]) => {
    const db = await having(...events)
    return [await mayFetch(db, viewer, sharp), await mayFetch(db, viewer, blurred)]
  }
  test('is fetched sharp by matches and the owner, blurred by who sees the card', async () => {
    expect(await fetch(ann)).toEqual([false, true])
    expect(await fetch(ann, ...matched(ann, bea))).toEqual([true, true])
    expect(await fetch(bea)).toEqual([true, true])
  })
  test('opens to strangers by mode and level together', async () => {
    expect(await fetch(ann, photosFor('public'))).toEqual([false, true])
    expect(await fetch(ann, photosFor('public'), mode('full'))).toEqual([true, true])
    expect(await fetch(ann, mode('full'))).toEqual([false, true])
    const blur: DomainEvent = { type: 'PhotoBlurChanged', member: bea, blur: 'blurred', at: T0 }
    expect(await fetch(ann, photosFor('public'), mode('full'), blur)).toEqual([false, true])
  })
  test('closes with hidden photos, privacy, block, unmatch, deactivation and removal', async () => {
    const privacy: DomainEvent = {
      type: 'MediaPrivacyChanged',
      member: bea,
      media: mediaId('Bea1'),
      privacy: 'private',
      at: T0,
    }
    const removed: DomainEvent = { type: 'MediaRemoved', member: bea, media: mediaId('Bea1'), at: T0 }
    const left: DomainEvent = { type: 'AccountDeactivated', member: bea, at: T0 }
    for (const event of [photosFor('hidden'), privacy, removed, left, blocked(bea, ann), blocked(ann, bea)])
      expect(await fetch(ann, ...matched(ann, bea), event), event.type).toEqual([false, false])
    expect(await fetch(ann, ...matched(ann, bea), unmatched(bea, ann))).toEqual([false, true])
  })
  test('past the third of a limited profile is not fetched', async () => {
    const more = [3, 4].map(
      (n): DomainEvent => ({
        type: 'MediaAdded',
        member: bea,
        media: mediaId(`Bea${n}`),
        kind: 'image',
        caption: '',
        privacy: 'public',
        at: T0,
      }),
    )
    const db = await having(...more, photosFor('public'), mode('limited'))
    const may = (n: number) => mayFetch(db, ann, { ...sharp, id: mediaId(`Bea${n}`) })
    expect([await may(1), await may(3), await may(4)]).toEqual([true, true, false])
  })
})

test('chat media is for the two of the room while it is open', async () => {
  const sent: DomainEvent = {
    type: 'MessageSent',
    message: messageId('m-1'),
    number: 1,
    from: bea,
    to: ann,
    text: '',
    media: mediaId('chat'),
    at: minute(1),
  }
  const media: FetchedMedia = { id: mediaId('chat'), owner: bea, purpose: 'chat', isBlurred: false, originalId: null }
  const db = await having(...matched(ann, bea), ...matched(cat, bea), sent)
  expect(await Promise.all([ann, bea, cat].map((viewer) => mayFetch(db, viewer, media)))).toEqual([true, true, false])
  const closed = await having(...matched(ann, bea), sent, unmatched(ann, bea))
  expect(await mayFetch(closed, ann, media)).toBe(false)
})

test('a voice is heard by matches, and by nobody who sees a locked profile', async () => {
  const voice: FetchedMedia = { id: mediaId('voice'), owner: bea, purpose: 'voice', isBlurred: false, originalId: null }
  const set: DomainEvent = { type: 'VoiceIntroSet', member: bea, media: mediaId('voice'), at: T0 }
  expect(await mayFetch(await having(set), ann, voice)).toBe(false)
  expect(await mayFetch(await having(set, mode('full')), ann, voice)).toBe(true)
  expect(await mayFetch(await having(set, ...matched(ann, bea)), ann, voice)).toBe(true)
  const other = { ...voice, id: mediaId('old') }
  expect(await mayFetch(await having(set, ...matched(ann, bea)), ann, other)).toBe(false)
})

test('proofs of identity are fetched by nobody, and unknown uploads by their owner alone', async () => {
  const db = await having(...matched(ann, bea))
  const media: FetchedMedia = { id: mediaId('x'), owner: bea, purpose: 'kyc-id', isBlurred: false, originalId: null }
  expect([await mayFetch(db, bea, media), await mayFetch(db, ann, media)]).toEqual([false, false])
  const loose = { ...media, purpose: 'photo' as const }
  expect([await mayFetch(db, bea, loose), await mayFetch(db, ann, loose)]).toEqual([true, false])
})

test('access in words follows the relation', async () => {
  const db = await having(...matched(ann, bea), blocked(cat, ann))
  expect(await Promise.all([ann, bea, cat].map((owner) => findAccess(db, ann, owner)))).toEqual([
    'self',
    'matched',
    'unavailable',
  ])
})
