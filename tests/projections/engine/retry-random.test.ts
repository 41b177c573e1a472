import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DomainEvent } from '../../../domain/all-events.ts'
import type { MemberId, NotificationId } from '../../../domain/shared/ids.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { idFrom, uuidFrom } from '../../../eventstore/ids.ts'
import { conversations } from '../../../projections/conversations/project.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import { notification } from '../../../projections/notifications/table.ts'
import { relations } from '../../../projections/relations/project.ts'
import { AT, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'
import { refusing, retried } from './retry-rig.ts'

const models = [relations, conversations, notifications].map((projection) => ({ projection, ...refusing(projection) }))
let rig: EngineRig
beforeAll(async () => {
  rig = await startEngineRig()
})
afterAll(() => rig.stop())

type Step = { does: number; by: number; over: number; n: number; poison: number }
/** `poison`: how often a key is retried before it is mended; 0 for a sound event. */
const histories: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    does: fc.nat(9),
    by: fc.nat(2),
    over: fc.integer({ min: 1, max: 2 }),
    n: fc.nat(9),
    poison: fc.constantFrom(0, 0, 0, 0, 1, 2),
  }),
  { minLength: 10, maxLength: 40 },
)

/** What one of three members does to another, or with a notification of theirs that there may be. */
function made({ does, by, over, n }: Step, people: readonly MemberId[], at: Date, upTo: Position): DomainEvent {
  const [me, other] = [people[by]!, people[(by + over) % 3]!]
  const id = idFrom(uuidFrom(pairStream(me, other), n), me) as NotificationId
  const all: DomainEvent[] = [
    { type: 'Buzzed', from: me, to: other, via: 'discover', at },
    { type: 'BuzzWithdrawn', from: me, to: other, at },
    { type: 'Matched', members: [me, other], at },
    { type: 'Unmatched', by: me, target: other, at },
    { type: 'Blocked', by: me, target: other, at },
    { type: 'Unblocked', by: me, target: other, at },
    { ...sent(me, other, 1 + at.getUTCSeconds()), at },
    { type: 'AllNotificationsRead', member: me, upTo, notifications: null, at } as DomainEvent,
    { type: 'NotificationRead', member: me, notification: id, at },
    { type: 'NotificationRemoved', member: me, notification: id, at },
  ]
  return all[does]!
}

/** Appends a history of three members of its own; answers the ids of what is mended first, and of what is mended later. */
async function append(steps: readonly Step[], people: readonly MemberId[]) {
  const lengths = new Map<string, number>()
  const poison: [string[], string[]] = [[], []]
  const events: [string, Step][] = []
  for (const step of steps) {
    const [me, other] = [people[step.by]!, people[(step.by + step.over) % 3]!]
    const stream = step.does < 7 ? pairStream(me, other) : `inbox-${me}`
    const length = lengths.get(stream) ?? 0
    // Nobody reads or removes what is not there yet.
    if (step.does > 7 && step.n >= (lengths.get(pairStream(me, other)) ?? 0)) continue
    lengths.set(stream, length + 1)
    if (step.poison > 0) poison[step.poison - 1]!.push(uuidFrom(stream, length))
    events.push([stream, step])
  }
  for (const { refuse } of models) refuse(...poison.flat())
  let last = await rig.log.head()
  for (const [index, [stream, step]] of events.entries())
    last = await rig.append(stream, made(step, people, new Date(AT.getTime() + 1_000 * index), last))
  return { poison, last }
}

const READ_AT = Object.keys(notification.columns).indexOf('read_at')
/** A row as it is compared, with whether it was read, and not when. */
function withoutTime(row: string): string {
  const values: unknown[] = JSON.parse(row)
  return JSON.stringify(values.map((value, index) => (index === READ_AT ? value !== null : value)))
}

/** Retries every key; the read models of which a rebuild is asked for. */
async function retryAll(): Promise<Set<string>> {
  const incomplete = new Set<string>()
  for (const { failing } of models) {
    const asked = 'select distinct key from app.quarantine where name = $1 order by key'
    for (const { key } of (await rig.pool.query<{ key: string }>(asked, [failing.name])).rows)
      if ((await retried(rig, failing, key, { part: 3 })).incomplete) incomplete.add(failing.name)
  }
  return incomplete
}

test('retries make what the log makes, but for times at which notifications were read, for which they ask for a rebuild', async () => {
  const projector = rig.project(
    models.map(({ failing }) => failing),
    { keysMost: 1_000 },
  )
  await projector.start()
  let runs = 0
  const known = new Set<string>()
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const run = runs++
      const { poison, last } = await append(
        steps,
        ['Ann', 'Bea', 'Cat'].map((name) => member(`${name} ${run}`)),
      )
      expect(await projector.waitFor(last, undefined, 20_000)).toBe(true)
      for (const { refuse } of models) refuse(...poison[1])
      const asked = await retryAll()
      for (const { refuse } of models) refuse()
      for (const name of await retryAll()) asked.add(name)
      expect((await rig.pool.query('select from app.quarantine')).rowCount).toBe(0)
      expect([...asked].filter((name) => name !== notifications.name)).toEqual([])
      expect(await rig.wrongRows([relations, conversations])).toEqual([])
      const wrong = (await rig.wrongRows([notifications])).filter((row) => !known.has(row))
      if (wrong.length > 0) expect([...asked]).toEqual([notifications.name])
      for (const row of wrong) {
        const [is, ought] = row.replace(/^notification \S+: /, '').split(' instead of ')
        expect(withoutTime(is!)).toBe(withoutTime(ought!))
        known.add(row)
      }
    }),
    { numRuns: 3, endOnFailure: true },
  )
})
