import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { DomainEvent } from '../../../domain/all-events.ts'
import type { AddressId, MemberId } from '../../../domain/shared/ids.ts'
import type { Recorded } from '../../../domain/shared/recorded.ts'
import type { Product } from '../../../server/product.ts'
import type { MediaRow } from '../../../services/app-schema.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { randomId } from '../../../services/random-id.ts'

/** Where members live: a product and the folder of its files. */
export type Home = { readonly product: Product; readonly dataDir: string; readonly now: () => Date }
type Identity = { readonly id: MemberId; readonly email: string }
type Stream = { readonly name: string; readonly events: readonly Recorded<DomainEvent>[] }

/** All that registering made of one member: others are made like it in a fraction of the time. */
export type MemberTemplate = {
  readonly of: Identity & { readonly address: string; readonly at: Date }
  readonly streams: readonly Stream[]
  readonly media: readonly { readonly row: MediaRow; readonly bytes: Buffer }[]
  readonly passwordHash: string
}

const mediaOf = ({ dataDir }: Home) => createFileStore(join(dataDir, 'media'), { own: 'test', isLeft: () => false })

/** Of a member who has just registered, and done nothing else. */
export async function templateOf(home: Home, { id, email }: Identity): Promise<MemberTemplate> {
  const { core, services } = home.product
  const address = (await services.addresses.find(services.credentials.emailKey(email))) ?? 'none'
  const names = [`member-${id}`, `profile-${id}`, `gallery-${id}`, `email-${address}`]
  const streams = await Promise.all(
    names.map(async (name) => ({ name, events: await core.codec.decode(await core.log.read(name)) })),
  )
  const rows = await core.storage.app.selectFrom('media').selectAll().where('owner', '=', id).execute()
  const media = await Promise.all(rows.map(async (row) => ({ row, bytes: await mediaOf(home).read(row.id) })))
  const credential = await services.credentials.findByMember(id)
  const at = streams[0]?.events[0]?.at
  if (!at || !credential?.passwordHash) throw new Error('Nobody has registered here.')
  return { of: { id, email, address, at }, streams, media, passwordHash: credential.passwordHash }
}

/** What the member's own answers in the wizard change of their profile's start. */
export type Answers = Readonly<Record<string, unknown>>

/** A member as if they had registered: like the template's, but for who they are and what they answered. */
export async function addMember(
  home: Home,
  template: MemberTemplate,
  { id, email }: Identity,
  answers: Answers,
): Promise<void> {
  const { core, services } = home.product
  const emailKey = services.credentials.emailKey(email)
  const address = randomId() as AddressId
  await services.addresses.give({ emailKey, id: address })
  const later = home.now().getTime() - template.of.at.getTime()
  const renamed = new Map([
    [template.of.id as string, id as string],
    [template.of.email, email],
    [template.of.address, address],
    ...template.media.map(({ row }) => [row.id, randomId()] as const),
  ])
  const own = <T>(value: T): T => moved(value, renamed, later)
  await addMedia(home, template, own)
  for (const { name, events } of template.streams) {
    const stream = own(name)
    const mine = events.map((event) => ({
      ...own(plain(event)),
      ...(event.type === 'ProfileStarted' && answers),
    })) as DomainEvent[]
    const commandId = randomUUID()
    const meta = { commandId, correlationId: commandId, causationId: commandId, actor: id }
    const ids = mine.map(() => randomUUID())
    await core.log.append(stream, 'no_stream', await core.codec.encode(stream, mine, ids, meta))
  }
  await services.credentials.create({ member: id, emailKey, passwordHash: template.passwordHash })
}

async function addMedia(home: Home, { media }: MemberTemplate, own: <T>(value: T) => T): Promise<void> {
  // Nobody makes their smaller forms: pictures of the size that they were sent in do.
  const rows = media.map(({ row }) => ({ ...own(row), forms: 'given-up' as const }))
  const store = mediaOf(home)
  await Promise.all(rows.map((row, index) => store.write(row.id, media[index]!.bytes)))
  await home.product.core.storage.app.insertInto('media').values(rows).execute()
}

/** Without what the log gives an event. */
function plain(event: Recorded<DomainEvent>): object {
  const { id: _id, stream: _stream, revision: _at, position: _position, recordedAt: _then, meta: _meta, ...all } = event
  return all
}

/** The same value with other names in it, and every moment so much later. */
function moved<T>(value: T, names: ReadonlyMap<string, string>, laterMs: number): T {
  const move = (one: unknown): unknown => {
    if (typeof one === 'string') return names.get(one) ?? movedStream(one, names)
    if (one instanceof Date) return new Date(one.getTime() + laterMs)
    if (Array.isArray(one)) return one.map(move)
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, part]) => [key, move(part)]))
    return one
  }
  return move(value) as T
}

/** `member-<id>` and the like. */
function movedStream(name: string, names: ReadonlyMap<string, string>): string {
  const at = name.indexOf('-')
  const id = names.get(name.slice(at + 1))
  return id === undefined ? name : `${name.slice(0, at + 1)}${id}`
}
