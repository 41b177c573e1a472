import { valueOr } from '../../../domain/shared/personal.ts'
import type { ProfileRow } from '../../../projections/profiles/table.ts'
import type { Media } from '../../../services/media/records.ts'
import type { Asking, Section } from './section.ts'
import { eventsOf } from './streams.ts'

/** Columns of the profile that show how the account is used; the others show who somebody is. */
const SETTINGS = ['visibility_mode', 'visibility', 'blur', 'field_visibility', 'preferences', 'timezone'] as const
const ACCOUNT = ['status', 'started', 'email', 'registered_at'] as const
const isIn = (names: readonly string[]) => (name: string) => names.includes(name)

/** What the member's account, profile and devices are. */
export function ownSections(asking: Asking): Section[] {
  const section = (path: string, title: string, about: string, items: Section['items']) => ({
    path,
    title,
    about,
    items,
  })
  return [
    section('account.json', 'Account', 'Your id, your address and since when you are here.', () => account(asking)),
    section('profile.json', 'Profile', 'All that you told about yourself.', () => profile(asking)),
    section('settings.json', 'Settings', 'Who sees what, and whom you look for.', () => settings(asking)),
    section('consents.json', 'Consents', 'What you agreed to, and when.', () => consents(asking)),
    section('sessions.json', 'Sessions', 'Where you are signed in, and browsers that signed in before.', () =>
      sessions(asking),
    ),
    section('location.json', 'Location', 'Where you were last. Older places are not kept.', () => location(asking)),
    section('media.json', 'Photos, videos and recordings', 'What you uploaded; the files are in media/.', () =>
      media(asking),
    ),
    section('exports.json', 'Copies', 'Copies of your data that you asked for and that are still kept.', () =>
      exportsOf(asking),
    ),
  ]
}

const findProfile = ({ read, member }: Asking): Promise<ProfileRow | undefined> =>
  read.selectFrom('profile').selectAll().where('member', '=', member).executeTakeFirst()

function picked(row: ProfileRow, wanted: (name: string) => boolean): Record<string, unknown> {
  const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => wanted(name))
      .map(([name, value]) => [camel(name), value]),
  )
}

async function* account(asking: Asking): AsyncGenerator<unknown> {
  const { app, member } = asking
  const row = await findProfile(asking)
  const credential = await app
    .selectFrom('credential')
    .select(['created_at', 'password_set_at'])
    .where('member', '=', member)
    .executeTakeFirst()
  const factor = await app
    .selectFrom('second_factor')
    .select('confirmed_at')
    .where('member', '=', member)
    .executeTakeFirst()
  yield {
    id: member,
    ...(row && picked(row, isIn(ACCOUNT))),
    credentialCreatedAt: credential?.created_at ?? null,
    passwordSetAt: credential?.password_set_at ?? null,
    secondFactorSince: factor?.confirmed_at ?? null,
  }
}

async function* profile(asking: Asking): AsyncGenerator<unknown> {
  const row = await findProfile(asking)
  if (row) yield picked(row, (name) => name !== 'member' && !isIn([...SETTINGS, ...ACCOUNT])(name))
}

async function* settings(asking: Asking): AsyncGenerator<unknown> {
  const row = await findProfile(asking)
  if (row) yield picked(row, isIn(SETTINGS))
}

async function* consents(asking: Asking): AsyncGenerator<unknown> {
  for await (const event of eventsOf(asking, `member-${asking.member}`)) {
    if (event.type !== 'MemberRegistered') continue
    yield { to: 'Terms and privacy', version: event.termsVersion, email: valueOr(event.email, null), at: event.at }
  }
}

async function* sessions({ sessions, app, member }: Asking): AsyncGenerator<unknown> {
  for (const { id, label, remember, createdAt, lastSeenAt, authAt, expiresAt } of await sessions.list(member))
    yield { kind: 'session', id, label, remember, createdAt, lastSeenAt, authAt, expiresAt }
  const devices = await app
    .selectFrom('known_device as d')
    .innerJoin('credential as c', 'c.email_key', 'd.email_key')
    .select('d.seen_at')
    .where('c.member', '=', member)
    .orderBy('d.seen_at')
    .execute()
  for (const { seen_at } of devices) yield { kind: 'browser', lastSeenAt: seen_at }
}

async function* location({ positions, app, member }: Asking): AsyncGenerator<unknown> {
  const row = await app.selectFrom('position').selectAll().where('member', '=', member).executeTakeFirst()
  if (!row) return
  const { lat, lng, accepted_at, previous_at, expires_at } = row
  const raw = await positions.findRaw(member)
  const times = { acceptedAt: accepted_at, previousAt: previous_at, exactUntil: expires_at }
  yield { area: { lat, lng }, exact: raw && { lat: raw.lat, lng: raw.lng }, ...times }
}

/** What was uploaded to be shown; papers for verification never leave the server (api-contract N8). */
export async function listMedia({ media, member }: Asking): Promise<Media[]> {
  const all = await media.list({ member })
  return all.filter(({ purpose }) => !purpose.startsWith('kyc-'))
}

export function mediaPath({ id, mime }: Media): string {
  return `media/${id}.${mime.replace(/^.*\//, '').replace(/[^a-z0-9]/g, '')}`
}

async function* media(asking: Asking): AsyncGenerator<unknown> {
  const { read, member } = asking
  const shown = await read.selectFrom('gallery_item').selectAll().where('member', '=', member).execute()
  const inGallery = new Map(shown.map(({ media, caption, privacy }) => [media, { caption, privacy }]))
  for (const one of await listMedia(asking)) {
    const { id, purpose, kind, mime, width, height, seconds, bytes, createdAt } = one
    const gallery = inGallery.get(id) ?? null
    yield { id, file: mediaPath(one), purpose, kind, mime, width, height, seconds, bytes, createdAt, gallery }
  }
}

async function* exportsOf({ app, member }: Asking): AsyncGenerator<unknown> {
  const rows = await app
    .selectFrom('data_export')
    .select(['id', 'state', 'asked_at', 'ready_at', 'expires_at'])
    .where('member', '=', member)
    .orderBy('asked_at')
    .execute()
  for (const { id, state, asked_at, ready_at, expires_at } of rows)
    yield { id, state, askedAt: asked_at, readyAt: ready_at, expiresAt: expires_at }
}
