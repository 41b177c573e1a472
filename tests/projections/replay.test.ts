import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DomainEvent, RecordedEvent } from '../../domain/all-events.ts'
import { memberEvents } from '../../domain/identity/events.ts'
import { memberDecider } from '../../domain/identity/member.ts'
import { inboxDecider } from '../../domain/inbox/decider.ts'
import { pairDecider } from '../../domain/pair/decider.ts'
import { profileDecider } from '../../domain/profile/decider.ts'
import { galleryEvents, profileEvents } from '../../domain/profile/events.ts'
import { galleryDecider } from '../../domain/profile/gallery.ts'
import type { Decider } from '../../domain/shared/decider.ts'
import { valueOr } from '../../domain/shared/personal.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { notifications } from '../../projections/notifications/project.ts'
import { notification } from '../../projections/notifications/table.ts'
import { joined, mediaId, memberId, messageId, minute, notificationId } from '../support/people.ts'
import { afterErasure, type Folded, holdsErasedMark, project } from '../support/project.ts'
import { positionAt, recorded } from '../support/recorded.ts'
import { namesErased } from './outlives-erasure.ts'

const NAMES = ['Ann', 'Bea', 'Cat']
const members = NAMES.map(memberId)

type Action = { action: number; by: number; to: number; n: number }
const actions = fc.array(fc.record({ action: fc.nat(18), by: fc.nat(2), to: fc.nat(2), n: fc.nat(6) }), {
  minLength: 40,
  maxLength: 80,
})

/** What three members do to each other and themselves, as their deciders let them. */
class World {
  readonly events: DomainEvent[] = NAMES.flatMap((name) => joined(name))
  readonly #states = new Map<string, unknown>()

  constructor() {
    for (const member of members) {
      this.#begin(memberDecider, memberEvents, member)
      this.#begin(profileDecider, profileEvents, member)
      this.#begin(galleryDecider, galleryEvents, member)
    }
  }

  #begin<C, E, S, R extends string>(decider: Decider<C, E, S, R>, kinds: readonly { type: string }[], member: string) {
    const own = this.events.filter((event) => 'member' in event && event.member === member)
    const known = own.filter((event) => kinds.some(({ type }) => type === event.type)) as E[]
    this.#states.set(`${decider.category}-${member}`, known.reduce(decider.evolve, decider.initial))
  }

  run<C, E extends DomainEvent, S, R extends string>(decider: Decider<C, E, S, R>, command: C): void {
    const key = `${decider.category}-${decider.streamId(command)}`
    const state = (this.#states.get(key) ?? decider.initial) as S
    const decision = decider.decide(command, state)
    if (!decision.ok) return
    this.events.push(...decision.events)
    this.#states.set(key, decision.events.reduce(decider.evolve, state))
  }

  /** The messages of a pair so far: clients read what they see. */
  lastMessage(a: string, b: string): { id: string; number: number } | undefined {
    const sent = this.events.filter(
      (event) => event.type === 'MessageSent' && [a, b].includes(event.from) && [a, b].includes(event.to),
    )
    const last = sent.at(-1)
    return last?.type === 'MessageSent' ? { id: valueOr(last.message, ''), number: last.number } : undefined
  }
}

function newestOf(world: World, member: string) {
  const rows = project(notifications, recorded(...world.events)).rows(notification)
  return rows.find((row) => row.recipient === member)
}

/** What is unread in the list of a member at a position. */
function shownTo(world: World, member: string, upTo: number) {
  const rows = project(notifications, recorded(...world.events)).rows(notification)
  const unread = rows.filter((row) => row.recipient === member && !row.read_at && row.position <= positionAt(upTo))
  return unread.map(({ id }) => notificationId(id))
}

function act(world: World, { action, by, to, n }: Action, time: number): void {
  const at = minute(time * 60 * 24)
  const [me, other] = [members[by]!, members[to === by ? (to + 1) % 3 : to]!]
  const shown = action === 11 || action === 12 ? newestOf(world, me) : undefined
  const last = world.lastMessage(me, other)
  const gone = world.events.some((event) => event.type === 'AccountErased' && [me, other].includes(event.member))
  if (gone) return
  const pair = (command: Parameters<typeof pairDecider.decide>[0]) => world.run(pairDecider, command)
  const acts = [
    () => pair({ type: 'Buzz', from: me, to: other, via: 'discover', at }),
    () => pair({ type: 'Buzz', from: other, to: me, via: 'profile', at }),
    () => pair({ type: 'WithdrawBuzz', from: me, to: other, at }),
    () => pair({ type: 'Skip', by: me, target: other, at }),
    () => pair({ type: 'UndoSkip', by: me, target: other, at }),
    () => pair({ type: 'Unmatch', by: me, target: other, at }),
    () => n === 0 && pair({ type: 'Block', by: me, target: other, at }),
    () => pair({ type: 'Unblock', by: me, target: other, at }),
    () =>
      pair({
        type: 'SendMessage',
        message: messageId(`m-${time}`),
        from: me,
        to: other,
        text: `w${n}`,
        media: null,
        at,
      }),
    () =>
      pair({
        type: 'SendMessage',
        message: messageId(`m-${time}`),
        from: other,
        to: me,
        text: 'x',
        media: mediaId('c'),
        at,
      }),
    () => last && pair({ type: 'MarkRead', by: me, other, upTo: messageId(last.id), number: last.number, at }),
    () =>
      shown &&
      world.run(inboxDecider, { type: 'ReadNotification', member: me, notification: notificationId(shown.id), at }),
    () =>
      shown &&
      world.run(inboxDecider, { type: 'RemoveNotification', member: me, notification: notificationId(shown.id), at }),
    () =>
      world.run(inboxDecider, {
        type: 'ReadAllNotifications',
        member: me,
        upTo: positionAt(world.events.length - n),
        notifications: shownTo(world, me, world.events.length - n),
        at,
      }),
    () =>
      world.run(profileDecider, {
        type: 'EditProfile',
        member: me,
        changes: { bio: `b${n}`, visibilityMode: n ? 'full' : 'hidden' },
        at,
      }),
    () =>
      world.run(galleryDecider, {
        type: 'AddMedia',
        member: me,
        item: { media: mediaId(`p${n}`), kind: 'image', caption: 'c', privacy: 'public' },
        at,
      }),
    () => world.run(galleryDecider, { type: 'RemoveMedia', member: me, media: mediaId(`p${n}`), at }),
    () => world.run(memberDecider, { type: n % 2 ? 'Deactivate' : 'Reactivate', member: me, at }),
    () => n === 1 && world.run(memberDecider, { type: 'EraseAccount', member: me, at }),
  ]
  acts[action]?.()
}

function historyOf(list: readonly Action[]): RecordedEvent[] {
  const world = new World()
  list.forEach((action, index) => {
    act(world, action, index)
  })
  return recorded(...world.events)
}

const fold = (events: readonly RecordedEvent[]): Folded => project(allProjections, events)
const RUNS = { numRuns: 50 }

test('a doubled history gives the same rows, event by event and as a whole', () => {
  fc.assert(
    fc.property(actions, (list) => {
      const events = historyOf(list)
      const once = fold(events).all()
      expect(fold(events.flatMap((event) => [event, event])).all()).toEqual(once)
      expect(fold([...events, ...events]).all()).toEqual(once)
    }),
    RUNS,
  )
})

test('rows made after an erasure equal the rows that lived through it', () => {
  fc.assert(
    fc.property(actions, (list) => {
      const events = historyOf(list)
      const rebuilt = fold(afterErasure(events)).all()
      expect(rebuilt).toEqual(fold(events).all())
      expect(holdsErasedMark(rebuilt)).toBe(false)
    }),
    RUNS,
  )
})

test('an erased member keeps no row, and nobody else loses one to a name', () => {
  fc.assert(
    fc.property(actions, fc.nat(2), (list, who) => {
      const gone = memberId(NAMES[who]!)
      const events = historyOf([
        ...list.filter((action) => action.action !== 18),
        { action: 18, by: who, to: who, n: 1 },
      ])
      const rows = fold(events).all()
      expect(namesErased(rows, gone)).toEqual([])
      const mine = rows.message?.filter((row) => 'from_member' in row && row.from_member === gone)
      expect(mine?.every((row) => 'text' in row && row.text === null)).toBe(true)
      expect(rows.profile).toHaveLength(2)
    }),
    RUNS,
  )
})

test('every pair has one row for either side, and they mirror each other', () => {
  fc.assert(
    fc.property(actions, (list) => {
      const rows = fold(historyOf(list)).all().relation as Record<string, unknown>[]
      for (const row of rows) {
        const mirror = rows.find((other) => other.member === row.other && other.other === row.member)
        if (row.liked_at === null && row.matched_at === null && row.blocked_at === null) continue
        expect([mirror?.liked_me_at, mirror?.matched_at, mirror?.blocked_me_at]).toEqual([
          row.liked_at,
          row.matched_at,
          row.blocked_at,
        ])
      }
    }),
    RUNS,
  )
})
