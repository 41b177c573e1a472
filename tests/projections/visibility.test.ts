import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  FIELD_KEYS,
  FIELD_LEVELS,
  type FieldKey,
  type FieldLevel,
  VISIBILITY_MODES,
} from '../../domain/profile/choices.ts'
import { emptyProfile } from '../../domain/profile/state.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { emptyRow } from '../../projections/profiles/fold.ts'
import type { ProfileRow } from '../../projections/profiles/table.ts'
import { type GalleryItem, presentCard, presentProfile } from '../../projections/view/present.ts'
import { type Access, decideAccess, type Relation as Row } from '../../projections/view/visibility.ts'
import { ann, bea, T0 } from '../support/people.ts'

const item = (n: number, privacy: 'public' | 'private' = 'public', kind: 'image' | 'video' = 'image'): GalleryItem => ({
  member: bea,
  media: `media${n}`,
  kind,
  caption: `caption${n}`,
  privacy,
  ordinal: n,
  blurred: `blurred${n}`,
})
const gallery = [item(0), item(1), item(2), item(3), item(4, 'private'), item(5, 'public', 'video')]

/** A profile whose every field can be distinguished from every other by its words. */
const base: ProfileRow = {
  ...emptyRow(bea, 'bea@secret.example', T0, { ...emptyProfile, started: true }),
  first_name: 'Bea',
  last_name: 'Lastword',
  dob: '1990-03-25',
  phone: '+14155550123',
  gender: 'Female',
  bio: `Bioword ${'long '.repeat(60)}`,
  city: 'Cityword',
  state: 'Stateword',
  location: 'Placeword',
  height: 171,
  orientation: 'Orientword',
  interests: ['Interestword'],
  hobbies: ['Hobbyword'],
  likes: ['Likeword'],
  dislikes: ['Dislikeword'],
  looking_for: 'casual',
  vibe: 'casual',
  avatar: 'media1',
  voice: 'voiceword',
  preferences: { ageRange: [31, 77], distanceMiles: 123 },
  interested_in: ['male'],
  timezone: 'Zone/Word',
}

/** How each key of the map shows itself in an answer. */
const TRACES: Record<Exclude<FieldKey, 'photos'>, RegExp> = {
  age: /"age":|Aries/,
  height: /171/,
  city: /Cityword/,
  orientation: /Orientword/,
  interests: /Interestword/,
  hobbies: /Hobbyword/,
  likes: /Likeword/,
  dislikes: /Dislikeword/,
  lookingFor: /casual/,
  voiceIntro: /voiceword/,
}
const NEVER = /secret|4155550123|1990-03-25|Zone|"lat"|"lng"|123|"male"|caption4|media4|Stateword|Placeword/

const RELATIONS = ['self', 'matched', 'liked', 'likedMe', 'stranger', 'blockedByMe', 'blockedMe'] as const
type Relation = (typeof RELATIONS)[number]
const NONE: Row = { liked_at: null, liked_me_at: null, matched_at: null, blocked_at: null, blocked_me_at: null }
const BETWEEN: Record<Relation, Row | undefined> = {
  self: undefined,
  stranger: undefined,
  matched: { ...NONE, matched_at: T0, liked_at: T0, liked_me_at: T0 },
  liked: { ...NONE, liked_at: T0 },
  likedMe: { ...NONE, liked_me_at: T0 },
  blockedByMe: { ...NONE, blocked_at: T0 },
  blockedMe: { ...NONE, blocked_me_at: T0 },
}

/** The table of api-contract §6.3 read afresh: which keys a relation and a mode let through, before their levels. */
function allowed(relation: Relation, mode: ProfileRow['visibility_mode']): readonly FieldKey[] | 'nothing' {
  if (relation.startsWith('blocked') || relation === 'self') return 'nothing'
  if (relation === 'matched') return FIELD_KEYS
  if (mode === 'hidden') return 'nothing'
  if (mode === 'auto') return ['age', 'photos']
  return mode === 'limited' ? ['age', 'city', 'photos', 'lookingFor', 'interests'] : FIELD_KEYS
}

const levels = fc.record(
  Object.fromEntries(FIELD_KEYS.map((key) => [key, fc.constantFrom(...FIELD_LEVELS)])) as Record<
    FieldKey,
    fc.Arbitrary<FieldLevel>
  >,
)
const situation = fc.record({
  levels,
  mode: fc.constantFrom(...VISIBILITY_MODES),
  relation: fc.constantFrom(...RELATIONS),
  blur: fc.constantFrom('clear' as const, 'blurred' as const),
})

/** An independent reading of which picture numbers show, and whether sharp. */
function photosExpected(relation: Relation, mode: string, level: FieldLevel, blur: string) {
  if (level === 'hidden') return { sharp: [] as string[], blurred: [] as string[] }
  if (relation === 'matched') return { sharp: ['media1', 'media0', 'media2', 'media3'], blurred: [] }
  const all = ['1', '0', '2', '3', '5'].slice(0, mode === 'full' ? 5 : 3)
  if (mode === 'auto' || level !== 'public' || blur === 'blurred')
    return { sharp: [], blurred: all.map((n) => `blurred${n}`) }
  const images = all.filter((n) => n !== '5')
  return { sharp: images.map((n) => `media${n}`), blurred: all.length > images.length ? ['blurred5'] : [] }
}

test('no field leaks and none is wrongly hidden, whatever its level, the mode and the relation', () => {
  fc.assert(
    fc.property(situation, ({ levels, mode, relation, blur }) => {
      const row = { ...base, visibility_mode: mode, field_visibility: levels, blur }
      const viewer: MemberId = relation === 'self' ? bea : ann
      const access = decideAccess(viewer, row, BETWEEN[relation]) as Access
      const view = presentProfile(row, gallery, {
        access,
        now: T0,
        online: true,
        distance: { miles: 3, metres: 4828, band: 'less than 5 mi' },
      })
      const keys = allowed(relation, mode)
      expect(view === null, 'seen at all').toBe(keys === 'nothing')
      if (view === null || keys === 'nothing') return
      const text = JSON.stringify(view)
      const passes = (level: FieldLevel) => level === 'public' || (relation === 'matched' && level === 'matches')
      for (const [key, trace] of Object.entries(TRACES) as [keyof typeof TRACES, RegExp][])
        expect(trace.test(text), key).toBe(keys.includes(key) && passes(levels[key]))
      expect(NEVER.test(text), 'what never leaves').toBe(false)
      expect(/Lastword|"online"/.test(text), 'what matches alone see').toBe(relation === 'matched')
      const photos = photosExpected(relation, mode, levels.photos, blur)
      const urls = (blurred: boolean) => view.photos.filter((one) => one.blurred === blurred).map(({ url }) => url)
      expect(urls(false)).toEqual(photos.sharp.map((id) => `/media/${id}`))
      expect(urls(true)).toEqual(photos.blurred.map((id) => `/media/${id}`))
      const originals = [...text.matchAll(/media\/(media\d)/g)].map(([, id]) => id as string)
      const seen = relation === 'matched' && levels.photos !== 'hidden' ? [...photos.sharp, 'media5'] : photos.sharp
      expect(originals.filter((id) => !seen.includes(id))).toEqual([])
      expect(view.avatar).toBe(view.photos[0]?.url)
    }),
    { numRuns: 500 },
  )
})

test('a card shows a stranger no more than the short form', () => {
  fc.assert(
    fc.property(situation, ({ levels, mode, relation, blur }) => {
      const row = { ...base, visibility_mode: mode, field_visibility: levels, blur }
      const access = decideAccess(ann, row, BETWEEN[relation]) as Access
      const card = presentCard(row, gallery, {
        access,
        now: T0,
        online: true,
        distance: { miles: 0.3, metres: 500, band: 'less than 0.5 mi' },
      })
      const keys = allowed(relation, mode)
      expect(card === null).toBe(relation === 'self' ? mode === 'hidden' : keys === 'nothing')
      if (!card) return
      const text = JSON.stringify(card)
      expect(NEVER.test(text) || /Lastword|online|Cityword|Hobbyword|voice|171|likeword/i.test(text)).toBe(false)
      for (const key of ['age', 'interests', 'lookingFor'] as const)
        expect(TRACES[key].test(text), key).toBe(levels[key] === 'public')
      expect(card.photos.length).toBeLessThanOrEqual(3)
      const sharp = levels.photos === 'public' && blur === 'clear' && access !== 'locked'
      expect(card.photos.every((photo) => photo.blurred === !sharp)).toBe(true)
      expect([...(card.bio ?? '')].length).toBeLessThanOrEqual(160)
      expect([card.distanceMeters, card.distanceBand]).toEqual([500, 'less than 0.5 mi'])
    }),
    { numRuns: 500 },
  )
})

test('private vibes are for matches and restricted ones for the eligible', () => {
  const vibeOf = (vibe: string, access: Access, eligible: boolean) =>
    presentProfile({ ...base, visibility_mode: 'full', vibe }, [], { access, now: T0, eligible })?.vibe
  expect([vibeOf('flirty', 'matched', false), vibeOf('flirty', 'preview', true)]).toEqual(['flirty', undefined])
  expect([vibeOf('ons', 'matched', false), vibeOf('ons', 'preview', true)]).toEqual([undefined, 'ons'])
  expect(vibeOf('serious', 'preview', false)).toBe('serious')
})

test('a short form cuts the bio at 160 characters and never in the middle of one', () => {
  const row = { ...base, visibility_mode: 'limited' as const, bio: '🙂'.repeat(200) }
  expect(presentProfile(row, [], { access: 'preview', now: T0 })?.bio).toBe('🙂'.repeat(160))
})

test('a preview of a match is the short form', () => {
  const view = presentProfile(base, gallery, { access: 'matched', now: T0, limited: true })
  expect(view?.photos).toHaveLength(3)
  expect([view?.lastName, view?.hobbies, view?.voiceIntro]).toEqual([undefined, undefined, undefined])
})

test.each([
  ['self', bea, base, undefined, 'self'],
  ['both blocked: the own block', ann, base, { ...NONE, blocked_at: T0, blocked_me_at: T0 }, 'blocked-by-me'],
  ['deactivated, although matched', ann, { ...base, status: 'deactivated' as const }, BETWEEN.matched, 'unavailable'],
  ['suspended', ann, { ...base, status: 'suspended' as const }, BETWEEN.matched, null],
  ['unfinished', ann, { ...base, started: false }, undefined, null],
  ['unknown', ann, undefined, undefined, null],
  ['invisible to a stranger', ann, { ...base, visibility: 'invisible' as const }, undefined, 'unavailable'],
  ['invisible to a match', ann, { ...base, visibility: 'invisible' as const }, BETWEEN.matched, 'matched'],
])('access: %s', (_what, viewer, owner, relation, access) => {
  expect(decideAccess(viewer, owner, relation)).toBe(access)
})
