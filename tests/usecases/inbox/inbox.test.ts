import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InboxCommand } from '../../../domain/inbox/commands.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import { findNewestPosition, listNotifications } from '../../../projections/notifications/queries.ts'
import { readAllNotifications } from '../../../usecases/inbox/read-all-notifications.ts'
import { readNotification } from '../../../usecases/inbox/read-notification.ts'
import { removeNotification } from '../../../usecases/inbox/remove-notification.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as, newCommand, SLOW_DOWN, tooFast } from '../acting.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

/** Ann, whom Bea and Cat buzzed; the newest notification is Cat's. */
async function inbox() {
  const [ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  await world.buzz(bea, ann)
  await world.buzz(cat, ann)
  await world.settled()
  const [newest, oldest] = (await listNotifications(world.read, ann.id)).map(({ id }) => id)
  return { ann, bea, newest: newest!, oldest: oldest! }
}
const unreadOf = async ({ id }: Person) => {
  await world.settled()
  return (await listNotifications(world.read, id)).filter(({ read }) => !read).map((row) => row.id)
}

test('a notification of one’s own is read, again without a trace; that of another is unknown', async () => {
  const { ann, bea, newest, oldest } = await inbox()
  const reads = (by: Person) => readNotification(as(world, by), { notification: newest, commandId: newCommand() })
  for (const _ of [1, 2]) expect(await reads(ann)).toMatchObject({ ok: true })
  expect(await unreadOf(ann)).toEqual([oldest])
  expect(await reads(bea)).toEqual({ ok: false, reason: 'unknown' })
  const fast = { notification: newest, commandId: newCommand() }
  expect(await readNotification(tooFast(world, ann), fast)).toEqual(SLOW_DOWN)
})

test('all that the list showed are read, and what came later is not', async () => {
  const { ann } = await inbox()
  const upTo = (await findNewestPosition(world.read, ann.id))!
  const dan = await world.member('Dan')
  await world.buzz(dan, ann)
  await readAllNotifications(as(world, ann), { upTo, commandId: newCommand() })
  expect(await unreadOf(ann)).toHaveLength(1)
})

test('what is marked read is recorded by its id, which is right in any log', async () => {
  const { ann, newest, oldest } = await inbox()
  const upTo = (await findNewestPosition(world.read, ann.id))!
  await readAllNotifications(as(world, ann), { upTo, commandId: newCommand() })
  const { data, metadata } = (await world.core.log.read(`inbox-${ann.id}`))[0]!
  expect(new Set(data.notifications as string[])).toEqual(new Set([newest, oldest]))
  expect(metadata.schema).toBe(2)
})

test('a notification is taken away, again quietly; one that never was is unknown', async () => {
  const { ann, bea, newest } = await inbox()
  const removes = (by: Person) => removeNotification(as(world, by), { notification: newest, commandId: newCommand() })
  expect(await removes(bea)).toEqual({ ok: false, reason: 'unknown' })
  for (const _ of [1, 2]) {
    expect(await removes(ann)).toMatchObject({ ok: true })
    await world.settled()
  }
  expect((await listNotifications(world.read, ann.id)).map(({ id }) => id)).not.toContain(newest)
})

test('reading all again notes nothing', async () => {
  const { ann } = await inbox()
  const upTo = (await findNewestPosition(world.read, ann.id))!
  const readAll = () => readAllNotifications(as(world, ann), { upTo, commandId: newCommand() })
  expect(await readAll()).toMatchObject({ ok: true })
  expect(await unreadOf(ann)).toEqual([])
  const before = await world.product.core.log.head()
  expect(await readAll()).toMatchObject({ ok: true })
  expect(await world.product.core.log.head()).toBe(before)
})

/** As if so many had liked the member for years, before what the member's list shows today. */
const likedFor = ({ id }: Person, many: number, position: string) =>
  world.product.core.storage.pool.query(
    `insert into p_notifications_v${notifications.version}.notification (id, recipient, type, from_member, created_at, position)
     select $1 || n, $1, 'buzz', 'liker' || n, now(), $2 from generate_series(1, $3::int) n`,
    [id, position, many],
  )

/** Who acts beside the log: what they would have sent, of each command the first. */
function unheard(acting: Acting) {
  const named: (readonly string[])[] = []
  const known = new Set<string>()
  const dispatch = (async (_decider: unknown, command: InboxCommand, { commandId }: { commandId: string }) => {
    if (command.type === 'ReadAllNotifications' && !known.has(commandId)) named.push(command.notifications)
    known.add(commandId)
    return { ok: true, events: [], position: await world.product.core.log.head(), repeated: false }
  }) as unknown as Acting['dispatch']
  return { acting: { ...acting, dispatch }, named }
}

test('all are read, however many: events of a bounded size name each of them once', async () => {
  const { ann } = await inbox()
  const upTo = (await findNewestPosition(world.read, ann.id))!
  await likedFor(ann, 12_000, START)
  const { acting, named } = unheard(as(world, ann))
  await readAllNotifications(acting, { upTo, commandId: newCommand() })
  expect(new Set(named.flat()).size).toBe(12_002)
  expect(named.map((ids) => ids.length)).toEqual([5_000, 5_000, 2_002])
  const readAll = { upTo, commandId: newCommand() }
  for (const _ of ['once', 'again, when it shows'])
    expect(await readAllNotifications(as(world, ann), readAll)).toMatchObject({ ok: true })
  expect(await unreadOf(ann)).toEqual([])
})

test('a form that comes again before it shows names also what the list had not the first time', async () => {
  const { ann, newest, oldest } = await inbox()
  const upTo = (await findNewestPosition(world.read, ann.id))!
  const { acting, named } = unheard(as(world, ann))
  const form = { upTo, commandId: newCommand() }
  for (const _ of ['first', 'again']) await readAllNotifications(acting, form)
  expect(named).toEqual([[oldest, newest]])
  // As a retry of events in quarantine brings one.
  await likedFor(ann, 1, upTo)
  await readAllNotifications(acting, form)
  expect(named.flat()).toContain(`${ann.id}1`)
})
