import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_FIELD_VISIBILITY, soughtAs, VISIBILITY_MODES } from '../../domain/profile/choices.ts'
import type { GalleryCommand, ProfileChanges } from '../../domain/profile/commands.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import type { GalleryEvent, ProfileEvent } from '../../domain/profile/events.ts'
import { FieldVisibility, Phone, Preferences, Timezone } from '../../domain/profile/fields.ts'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import { NAME_COOLDOWN_MS, TIMEZONE_COOLDOWN_MS } from '../../domain/profile/limits.ts'
import { emptyProfile, evolveProfile } from '../../domain/profile/state.ts'
import { zodiac } from '../../domain/profile/zodiac.ts'
import { addMs } from '../../domain/shared/dates.ts'
import { given } from '../support/given.ts'
import { ann, mediaId, started, T0 } from '../support/people.ts'
import { samples } from '../support/samples.ts'
import { wrong } from '../support/wrong.ts'

const at = T0
const fact = { member: ann, at }
const begun = started('Ann')
const { type: _type, ...answers } = begun
const start = (dob: string) =>
  ({ ...answers, dob, type: 'StartProfile' }) as Parameters<typeof profileDecider.decide>[0]
const edit = (changes: ProfileChanges, when = at) => ({ type: 'EditProfile' as const, member: ann, changes, at: when })
const past = (...events: ProfileEvent[]) => given(profileDecider, begun, ...events)

describe('a profile', () => {
  test('is started once, on the eighteenth birthday at the earliest', () => {
    given(profileDecider)
      .when(start('2012-01-01'))
      .then({ ...begun, dob: '2012-01-01' })
    given(profileDecider).when(start('2012-01-02')).thenRefused('underage')
    past().when(start('2000-06-15')).thenRefused('already-started')
    given(profileDecider)
      .when(edit({ bio: 'Hi' }))
      .thenRefused('not-started')
  })
  test('records one event per field that changes, and none for what stays', () => {
    const changes = { bio: 'Hi', city: 'Paris', likes: ['Rain'], interests: ['Music'] }
    past()
      .when(edit(changes))
      .then(
        { type: 'PlaceChanged', ...fact, city: 'Paris', state: '', location: '' },
        { type: 'TastesSet', ...fact, likes: ['Rain'], dislikes: [] },
        { type: 'BioChanged', ...fact, bio: 'Hi' },
      )
    past({ type: 'BioChanged', ...fact, bio: 'Hi' })
      .when(edit({ bio: 'Hi' }))
      .thenNothing()
    past().when(edit({})).thenNothing()
  })
  test('changes its name once in thirty days, to the millisecond', () => {
    const renamed: ProfileEvent = { type: 'NameChanged', ...fact, firstName: 'Anna', lastName: 'Annson' }
    past()
      .when(edit({ firstName: 'Anna' }))
      .then(renamed)
    past(renamed)
      .when(edit({ firstName: 'Anya' }, addMs(at, NAME_COOLDOWN_MS - 1)))
      .thenRefused('name-too-soon', 1)
    const later = addMs(at, NAME_COOLDOWN_MS)
    past(renamed)
      .when(edit({ firstName: 'Anya' }, later))
      .then({ ...renamed, firstName: 'Anya', at: later } as ProfileEvent)
    past(renamed)
      .when(edit({ firstName: 'Anna' }))
      .thenNothing()
  })
  test('changes its gender once in thirty days', () => {
    const changed: ProfileEvent = { type: 'GenderChanged', ...fact, gender: 'Other' }
    past()
      .when(edit({ gender: 'Other' }))
      .then(changed)
    expect(past(changed).when(edit({ gender: 'Male' }, addMs(at, 1000))).decision).toMatchObject({
      reason: 'gender-too-soon',
    })
  })
  test('changes its time zone once in seven days, to the millisecond', () => {
    const paris: ProfileEvent = { type: 'TimezoneChanged', ...fact, timezone: 'Europe/Paris' }
    past()
      .when(edit({ timezone: 'Europe/Paris' }))
      .then(paris)
    past(paris)
      .when(edit({ timezone: 'Asia/Tokyo', bio: 'Hi' }, addMs(at, TIMEZONE_COOLDOWN_MS - 1)))
      .thenRefused('timezone-too-soon', 1)
    const later = addMs(at, TIMEZONE_COOLDOWN_MS)
    past(paris)
      .when(edit({ timezone: 'Asia/Tokyo' }, later))
      .then({ ...paris, timezone: 'Asia/Tokyo', at: later })
    past(paris)
      .when(edit({ timezone: 'Europe/Paris' }))
      .thenNothing()
    for (const [stored, asked] of [
      ['Europe/Paris', 'europe/paris'],
      ['europe/paris', 'Europe/Paris'],
      ['Europe/Kiev', 'Europe/Kyiv'],
    ] as const)
      past({ ...paris, timezone: stored })
        .when(edit({ timezone: asked }))
        .thenNothing()
    past({ ...paris, timezone: 'No/Zone' })
      .when(edit({ timezone: 'Asia/Tokyo' }, later))
      .then({ ...paris, timezone: 'Asia/Tokyo', at: later })
    expect(TIMEZONE_COOLDOWN_MS).toBe(7 * 24 * 3_600_000)
  })
  test('hidden makes invisible, and any other mode makes active again', () => {
    const hide = past().when(edit({ visibilityMode: 'hidden' })).decision
    expect(hide).toMatchObject({ events: [{ visibilityMode: 'hidden' }, { visibility: 'invisible' }] })
    const hidden = hide.ok ? [...hide.events] : []
    for (const visibilityMode of VISIBILITY_MODES.filter((mode) => mode !== 'hidden')) {
      const shown = past(...hidden).when(edit({ visibilityMode })).decision
      expect(shown).toMatchObject({ events: [{ visibilityMode }, { visibility: 'active' }] })
    }
  })
  test('a hidden profile stays invisible, whatever visibility is asked for', () => {
    const hide = past().when(edit({ visibilityMode: 'hidden' })).decision
    const hidden = hide.ok ? [...hide.events] : []
    past(...hidden)
      .when(edit({ visibility: 'active' }))
      .thenNothing()
    const both = past().when(edit({ visibilityMode: 'hidden', visibility: 'active' })).decision
    expect(both).toMatchObject({ events: [{ visibilityMode: 'hidden' }, { visibility: 'invisible' }] })
  })
  test('of a mode and a visibility that are sent together the one that shows less counts', () => {
    for (const visibilityMode of ['auto', 'limited'] as const) {
      const full: ProfileEvent = { type: 'VisibilityModeChanged', ...fact, visibilityMode: 'full' }
      const both = past(full).when(edit({ visibilityMode, visibility: 'invisible' }))
      expect(both.decision).toMatchObject({ events: [{ visibilityMode }, { visibility: 'invisible' }] })
    }
  })
  test('one level changes without the others', () => {
    const decision = past().when(edit({ fieldVisibility: wrong({ age: 'hidden' }) })).decision
    expect(decision).toMatchObject({ events: [{ fieldVisibility: { ...DEFAULT_FIELD_VISIBILITY, age: 'hidden' } }] })
  })
  test('reads every erased field as empty', () => {
    const events = Object.entries(samples).map(([type, fields]) => {
      const hidden = Object.keys(fields).filter((key) => key in emptyProfile && key !== 'fieldVisibility')
      return {
        type,
        ...fields,
        ...Object.fromEntries(hidden.map((key) => [key, { erased: true }])),
      } as unknown as ProfileEvent
    })
    const profile = events
      .filter(({ type }) => /Changed|Set|ProfileStarted/.test(type))
      .reduce(evolveProfile, emptyProfile)
    expect(JSON.stringify(profile)).not.toContain('erased')
  })
})

describe('a gallery', () => {
  const item = (name: string, kind: 'image' | 'video' = 'image') =>
    ({ media: mediaId(name), kind, caption: '', privacy: 'public' }) as const
  const added = (name: string, kind: 'image' | 'video' = 'image'): GalleryEvent => ({
    type: 'MediaAdded',
    ...fact,
    ...item(name, kind),
  })
  const avatar = (name: string): GalleryEvent => ({ type: 'AvatarChosen', ...fact, media: mediaId(name) })
  const fill = (items: ReturnType<typeof item>[], chosen: string): GalleryCommand => ({
    type: 'FillGallery',
    ...fact,
    items,
    avatar: mediaId(chosen),
    voice: null,
  })
  const full = [added('one'), added('two'), added('film', 'video'), avatar('one')]
  const past = (...events: GalleryEvent[]) => given(galleryDecider, ...full, ...events)
  const remove = (name: string): GalleryCommand => ({ type: 'RemoveMedia', ...fact, media: mediaId(name) })
  const privacy = (name: string, value: 'public' | 'private'): GalleryCommand => ({
    type: 'ChangeMediaPrivacy',
    ...fact,
    media: mediaId(name),
    privacy: value,
  })
  test('is filled once, with an image as avatar', () => {
    given(galleryDecider)
      .when(fill([item('one'), item('two')], 'one'))
      .then(added('one'), added('two'), avatar('one'))
    past()
      .when(fill([item('one'), item('two')], 'one'))
      .thenNothing()
    given(galleryDecider)
      .when(fill([item('a', 'video'), item('b', 'video')], 'a'))
      .thenRefused('no-image')
    given(galleryDecider)
      .when(fill([item('a', 'video'), item('b')], 'a'))
      .thenRefused('avatar-must-be-image')
    given(galleryDecider)
      .when(fill([item('a'), item('b')], 'c'))
      .thenRefused('not-in-gallery')
  })
  test('keeps a photo; a removed avatar falls back to the first image left', () => {
    const removed: GalleryEvent = { type: 'MediaRemoved', ...fact, media: mediaId('one') }
    past().when(remove('one')).then(removed, avatar('two'))
    past(removed, avatar('two')).when(remove('two')).thenRefused('last-photo')
    past().when(remove('nothing')).thenRefused('not-in-gallery')
    past()
      .when(remove('two'))
      .then({ ...removed, media: mediaId('two') } as GalleryEvent)
  })
  test('no private photo is opened to take the place of an avatar that is removed or lost', () => {
    const hidden: GalleryEvent = { type: 'MediaPrivacyChanged', ...fact, media: mediaId('two'), privacy: 'private' }
    past(hidden).when(remove('one')).thenRefused('others-private')
    const lose = { type: 'DropLostMedia', ...fact, lost: ['one', 'film'].map(mediaId) } as GalleryCommand
    past(hidden)
      .when(lose)
      .then({ type: 'MediaRemoved', ...fact, media: mediaId('film') })
    past(hidden, added('three'))
      .when(remove('one'))
      .then({ type: 'MediaRemoved', ...fact, media: mediaId('one') }, avatar('three'))
  })
  test('what has no file leaves it at once; a lost avatar falls back to an image that is there', () => {
    const lose = (...names: string[]): GalleryCommand => ({ type: 'DropLostMedia', ...fact, lost: names.map(mediaId) })
    const removed = (name: string): GalleryEvent => ({ type: 'MediaRemoved', ...fact, media: mediaId(name) })
    const voice: GalleryEvent = { type: 'VoiceIntroSet', ...fact, media: mediaId('voice') }
    past(added('three'), voice)
      .when(lose('one', 'two', 'voice'))
      .then(removed('one'), removed('two'), avatar('three'), { type: 'VoiceIntroRemoved', ...fact })
    past(voice).when(lose('two')).then(removed('two'))
    past().when(lose('nothing')).thenNothing()
    past().when(lose('one', 'two')).thenRefused('last-photo')
  })
  test('an avatar is an image of the gallery and stays public', () => {
    const choose = (name: string): GalleryCommand => ({ type: 'ChooseAvatar', ...fact, media: mediaId(name) })
    past().when(choose('two')).then(avatar('two'))
    past().when(choose('one')).thenNothing()
    past().when(choose('film')).thenRefused('avatar-must-be-image')
    past().when(choose('nothing')).thenRefused('not-in-gallery')
    past().when(privacy('one', 'private')).thenRefused('avatar-stays-public')
  })
  test('a picture is private or public, quietly when it is so already', () => {
    past()
      .when(privacy('two', 'private'))
      .then({ type: 'MediaPrivacyChanged', ...fact, media: mediaId('two'), privacy: 'private' })
    past().when(privacy('two', 'public')).thenNothing()
    past().when(privacy('nothing', 'public')).thenRefused('not-in-gallery')
  })
  test('a voice is set, replaced and removed', () => {
    const voice = (name: string | null): GalleryCommand =>
      ({ type: 'SetVoiceIntro', ...fact, media: name && mediaId(name) }) as GalleryCommand
    const set: GalleryEvent = { type: 'VoiceIntroSet', ...fact, media: mediaId('v') }
    past().when(voice('v')).then(set)
    past(set).when(voice('v')).thenNothing()
    past(set)
      .when(voice(null))
      .then({ type: 'VoiceIntroRemoved', ...fact })
    past().when(voice(null)).thenNothing()
  })
})

test.each([
  ['2000-01-19', 'Capricorn'],
  ['2000-01-20', 'Aquarius'],
  ['2000-02-29', 'Pisces'],
  ['2000-03-21', 'Aries'],
  ['2000-06-20', 'Gemini'],
  ['2000-12-21', 'Sagittarius'],
  ['2000-12-22', 'Capricorn'],
])('the sign of %s is %s', (dob, sign) => {
  expect(zodiac(dob)).toBe(sign)
})

test('five genders are sought as three', () => {
  expect((['Male', 'Female', 'Non-binary', 'Other', 'Prefer not to say'] as const).map(soughtAs)).toEqual([
    ...['male', 'female', 'other', 'other', 'other'],
  ])
})

test('a form takes real phones, zones and ranges only', () => {
  const takes = (form: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
    form.safeParse(value).success
  expect(['', '+14155550123', '4155550123', '+0123456789', '+1415 555'].map((value) => takes(Phone, value))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(['Europe/Paris', 'Mars/Olympus'].map((value) => takes(Timezone, value))).toEqual([true, false])
  const range = (min: number, max: number) => takes(Preferences, { ageRange: [min, max], distanceMiles: 0 })
  expect([range(18, 100), range(30, 30), range(17, 30), range(40, 30)]).toEqual([true, true, false, false])
})

test('a level that does not exist is no field visibility', () => {
  fc.assert(
    fc.property(fc.string(), (level) => {
      fc.pre(!['public', 'matches', 'hidden'].includes(level))
      expect(FieldVisibility.safeParse({ ...DEFAULT_FIELD_VISIBILITY, age: level }).success).toBe(false)
    }),
  )
})
