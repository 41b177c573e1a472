import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Category, type DomainEvent, eventsByCategory } from '../../../domain/all-events.ts'
import type { MediaId } from '../../../domain/shared/ids.ts'
import { accounts } from '../../../projections/accounts/project.ts'
import { discover } from '../../../projections/discover/project.ts'
import { profiles } from '../../../projections/profiles/project.ts'
import type { ProfileRow } from '../../../projections/profiles/table.ts'
import type { Projection } from '../../../projections/projection.ts'
import { decideAccess } from '../../../projections/view/visibility.ts'
import { ann, bea, joined, mediaId, T0 } from '../../support/people.ts'
import { wrong } from '../../support/wrong.ts'
import { liveOf, refusing, retried } from '../engine/retry-rig.ts'
import { type EngineRig, startEngineRig } from '../engine-rig.ts'

const ofBea = { member: bea, at: T0 }
const odd: DomainEvent = { type: 'BioChanged', ...ofBea, bio: 'Odd' }
const suspended: DomainEvent = { type: 'AccountSuspended', ...ofBea, reason: 'rude' }
const deactivated: DomainEvent = { type: 'AccountDeactivated', ...ofBea }
const reinstated: DomainEvent = { type: 'AccountReinstated', ...ofBea }
const hidden: DomainEvent[] = [
  { type: 'VisibilityModeChanged', ...ofBea, visibilityMode: 'hidden' },
  { type: 'VisibilityChanged', ...ofBea, visibility: 'invisible' },
]
const fieldFor = (field: 'photos' | 'age', who: 'public' | 'hidden'): DomainEvent => ({
  type: 'FieldVisibilitySet',
  ...ofBea,
  fieldVisibility: wrong({ [field]: who }),
})
const picture = (name: string) => ({ ...ofBea, media: mediaId(name) })
const voice = (media: MediaId): DomainEvent => ({ type: 'VoiceIntroSet', ...ofBea, media })

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const rowOf = async (): Promise<ProfileRow> =>
  (await rig.pool.query('select * from read.profile where member = $1', [bea])).rows[0]
const accessOfAnn = async () => decideAccess(ann, await rowOf())
const pictures = async () =>
  (await rig.pool.query('select media, privacy from read.gallery_item where member = $1 order by ordinal', [bea])).rows

const categoryOf = ({ type }: DomainEvent) =>
  (Object.keys(eventsByCategory) as Category[]).find((one) => eventsByCategory[one].some((of) => of.type === type))

/** Bea has joined. */
async function showingBea(projection: Projection) {
  const { failing, refuse } = refusing(projection)
  const append = await liveOf(rig, failing)
  const shown = async (...events: DomainEvent[]) => {
    for (const event of events) await append(`${categoryOf(event)}-${bea}`, event)
  }
  await shown(...joined('Bea'))
  return { failing, refuse, shown }
}

test.each<[string, DomainEvent[], string | null]>([
  ['is suspended', [suspended], null],
  ['is away', [deactivated], 'unavailable'],
  ['has hidden', hidden, 'unavailable'],
  ['was suspended and is back', [suspended, reinstated], 'locked'],
])('others see at once that a member %s, though an event before it cannot be applied', async (_, events, access) => {
  const { failing, refuse, shown } = await showingBea(profiles)
  expect(await accessOfAnn()).toBe('locked')
  refuse('BioChanged')
  await shown(odd, ...events)
  expect(await accessOfAnn()).toBe(access)
  refuse()
  expect(await retried(rig, failing, bea)).toMatchObject({ reason: null, incomplete: false })
  expect(await accessOfAnn()).toBe(access)
  expect(await rig.wrongRows([profiles])).toEqual([])
})

test('pictures and fields that a member takes back are gone though an event before it cannot be applied', async () => {
  const { failing, refuse, shown } = await showingBea(profiles)
  await shown(fieldFor('photos', 'public'), voice(mediaId('Voice')))
  refuse('BioChanged')
  await shown(
    odd,
    { type: 'MediaPrivacyChanged', ...picture('Bea1'), privacy: 'private' },
    { type: 'MediaRemoved', ...picture('Bea2') },
    { type: 'VoiceIntroRemoved', ...ofBea },
    { type: 'PhotoBlurChanged', ...ofBea, blur: 'blurred' },
    fieldFor('photos', 'hidden'),
  )
  expect(await pictures()).toEqual([{ media: mediaId('Bea1'), privacy: 'private' }])
  expect(await rowOf()).toMatchObject({ bio: '', blur: 'blurred', voice: null, field_visibility: { photos: 'hidden' } })
  refuse()
  expect(await retried(rig, failing, bea, { part: 2 })).toMatchObject({ reason: null, incomplete: false })
  expect(await rig.wrongRows([profiles])).toEqual([])
})

test('a field that a member hides is found by no filter though an event before it cannot be applied', async () => {
  const { failing, refuse, shown } = await showingBea(discover)
  const rows = async () => (await rig.pool.query('select age_shown, media_count from read.candidate')).rows
  await shown(fieldFor('age', 'public'))
  refuse('VibeChanged')
  const added: DomainEvent = { type: 'MediaAdded', ...picture('Bea3'), kind: 'image', caption: '', privacy: 'public' }
  await shown({ type: 'VibeChanged', ...ofBea, vibe: 'odd' }, added, fieldFor('age', 'hidden'))
  expect(await rows()).toEqual([{ age_shown: false, media_count: 2 }])
  refuse()
  expect(await retried(rig, failing, bea, { part: 1 })).toMatchObject({ reason: null, incomplete: false })
  expect(await rows()).toEqual([{ age_shown: false, media_count: 3 }])
  expect(await rig.wrongRows([discover])).toEqual([])
})

test.each([
  ['is suspended', [suspended]],
  ['is away', [deactivated]],
  ['is in hidden mode', hidden.slice(0, 1)],
  ['is invisible', hidden.slice(1)],
])('no deck has a member who %s, though an event before it cannot be applied', async (_, events) => {
  const { failing, refuse, shown } = await showingBea(discover)
  const inDeck = async () => (await rig.pool.query('select discoverable from read.candidate')).rows[0].discoverable
  expect(await inDeck()).toBe(true)
  refuse('VibeChanged')
  await shown({ type: 'VibeChanged', ...ofBea, vibe: 'odd' }, ...events)
  expect(await inDeck()).toBe(false)
  refuse()
  expect(await retried(rig, failing, bea)).toMatchObject({ reason: null, incomplete: false })
  expect(await inDeck()).toBe(false)
  expect(await rig.wrongRows([discover])).toEqual([])
})

test.each([accounts, profiles, discover])(
  'in $name the last of an account counts, whatever a retry applies from before',
  async (one) => {
    const { failing, refuse, shown } = await showingBea(one)
    const statuses = async () =>
      (await rig.pool.query(`select status from read.${one.tables[0]!.name}`)).rows.map(({ status }) => status)
    await shown(deactivated)
    refuse('AccountReactivated')
    await shown({ type: 'AccountReactivated', ...ofBea }, suspended)
    expect(await statuses()).toEqual(['suspended'])
    refuse('AccountReinstated')
    await shown(reinstated, suspended)
    expect(await retried(rig, failing, bea, { part: 1 })).toMatchObject({ applied: 2, reason: expect.any(String) })
    expect(await statuses()).toEqual(['suspended'])
    refuse()
    expect(await retried(rig, failing, bea, { part: 1 })).toMatchObject({ reason: null, incomplete: false })
    expect(await statuses()).toEqual(['suspended'])
    expect(await rig.wrongRows([one])).toEqual([])
  },
)

test('of what goes ahead only the last that does the same is done again with each part of a retry', async () => {
  let calls = 0
  const counting: Projection = {
    ...profiles,
    when: {
      ...profiles.when,
      MediaPrivacyChanged: (event) => {
        calls++
        return profiles.when.MediaPrivacyChanged!(event)
      },
    },
  }
  const { failing, refuse, shown } = await showingBea(counting)
  refuse('BioChanged')
  const changes = Array.from({ length: 20 }, (_, n): DomainEvent => {
    const at = new Date(T0.getTime() + n)
    return { type: 'MediaPrivacyChanged', ...picture('Bea1'), privacy: n % 2 ? 'public' : 'private', at }
  })
  await shown(odd, ...changes)
  refuse()
  calls = 0
  expect(await retried(rig, failing, bea, { part: 3 })).toMatchObject({ applied: 21, reason: null, incomplete: false })
  // Each in its turn, and the last of either kind with each of the parts.
  expect(calls).toBeLessThanOrEqual(20 + 2 * 7)
  expect(await pictures()).toContainEqual({ media: mediaId('Bea1'), privacy: 'public' })
  expect(await rig.wrongRows([profiles])).toEqual([])
})
