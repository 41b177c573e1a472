import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventNamed, RecordedEvent } from '../../../domain/all-events.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import {
  findQuarantined,
  type QuarantineDeps,
  retryQuarantined,
} from '../../../projections/engine/care/quarantined-keys.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { notifications } from '../../../projections/notifications/project.ts'
import type { Projection } from '../../../projections/projection.ts'
import { relations } from '../../../projections/relations/project.ts'
import { lines, tallies } from '../../support/toy-projections.ts'
import { AT, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map(member) as [MemberId, MemberId, MemberId, MemberId]
const poisoned = pairStream(ann, bea)
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** Postgres refuses rows for as long as the condition is there; `code` 23514 is poison, others are not. */
async function refuse(table: string, when: string, code = '23514') {
  const name = `refuse_${code.toLowerCase()}`
  await rig.pool.query(`create or replace function ${name}() returns trigger language plpgsql as
      $$ begin raise exception 'x' using errcode = '${code}'; end $$;
    create trigger ${name} before insert or update on ${table} for each row when (${when}) execute function ${name}()`)
  return () => rig.pool.query(`drop trigger ${name} on ${table}`)
}

async function liveOf(projection: Projection) {
  const projector = rig.project([projection])
  await projector.start()
  return async (stream: string, ...events: Parameters<EngineRig['append']>[1][]) =>
    expect(await projector.waitFor(await rig.append(stream, ...events), undefined, 20_000)).toBe(true)
}

const retried = async (projection: Projection, deps: Partial<QuarantineDeps> = {}) => {
  const [found] = await findQuarantined(rig, poisoned, projection.name)
  return retryQuarantined({ ...rig, ...deps }, projection, found!)
}
const waiting = async () =>
  (await rig.pool.query('select revision::integer, reason from app.quarantine order by position')).rows

/** The most rows of a table that one transaction has inserted since. */
async function counting(table: string) {
  await rig.pool.query(`create table inserted (tx bigint);
    create function counted() returns trigger language plpgsql as
      $$ begin insert into public.inserted values (txid_current()); return new; end $$;
    create trigger counted before insert on ${table} for each row execute function counted()`)
  const asked = 'select count(*)::integer as rows from inserted group by tx order by 1 desc limit 1'
  return async () => (await rig.pool.query<{ rows: number }>(asked)).rows[0]?.rows ?? 0
}

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => sent(ann, bea, from + index))

test('very many events of a key are applied in parts, and all of them', async () => {
  const shown = await liveOf(lines)
  const mend = await refuse('p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 10))
  await mend()
  const most = await counting('p_lines_v1.line')
  expect(await retried(lines, { part: 3 })).toMatchObject({ applied: 10, reason: null })
  expect(await most()).toBe(3)
  expect(await waiting()).toEqual([])
  expect(await rig.wrongRows([lines])).toEqual([])
  await shown(poisoned, sent(ann, bea, 11))
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('others do not wait while a retry reads what waits, or decodes it', async () => {
  const shown = await liveOf(lines)
  const mend = await refuse('p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 4))
  await mend()
  const others = pairStream(cat, dan)
  let number = 0
  const log: QuarantineDeps['log'] = {
    ...rig.log,
    read: async (stream, ...more) => {
      if (stream === poisoned) await shown(others, sent(cat, dan, ++number))
      return rig.log.read(stream, ...more)
    },
  }
  const codec: QuarantineDeps['codec'] = {
    ...rig.codec,
    decode: async (stored) => {
      if (stored.some(({ stream }) => stream === poisoned)) await shown(others, sent(cat, dan, ++number))
      return rig.codec.decode(stored)
    },
  }
  expect(await retried(lines, { log, codec, part: 2 })).toMatchObject({ applied: 4, reason: null })
  expect(number).toBe(4)
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a retry that ends between two parts is taken up by the next one, and no event is applied twice', async () => {
  const shown = await liveOf(tallies)
  const mend = await refuse('p_tallies_v1.tally', `new.member = '${ann}' and new.messages = 1`)
  await shown(poisoned, ...words(1, 7))
  await mend()
  const goOn = await refuse('p_tallies_v1.tally', 'new.messages = 6', '57014')
  await expect(retried(tallies, { part: 3 })).rejects.toThrow('x')
  expect((await waiting()).map(({ revision }) => revision)).toEqual([3, 4, 5, 6])
  await goOn()
  await shown(poisoned, sent(ann, bea, 8))
  expect(await retried(tallies, { part: 3 })).toMatchObject({ applied: 5, reason: null })
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('two retries at the same time apply each event once', async () => {
  const shown = await liveOf(tallies)
  const mend = await refuse('p_tallies_v1.tally', `new.member = '${ann}' and new.messages = 1`)
  await shown(poisoned, ...words(1, 12))
  await mend()
  const both = await Promise.all([retried(tallies, { part: 2 }), retried(tallies, { part: 3 })])
  expect(both.reduce((sum, { applied }) => sum + applied, 0)).toBe(12)
  expect(await waiting()).toEqual([])
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('an event that is still poison stays with what is behind it, and names itself', async () => {
  const shown = await liveOf(lines)
  const mend = await refuse('p_lines_v1.line', 'new.number in (1, 6)')
  await shown(poisoned, ...words(1, 9))
  expect(await retried(lines, { part: 4 })).toMatchObject({ applied: 0, reason: expect.stringMatching(/refused/) })
  await mend()
  const still = await refuse('p_lines_v1.line', 'new.number = 6')
  expect(await retried(lines, { part: 4 })).toMatchObject({ applied: 5, reason: expect.stringMatching(/refused/) })
  expect((await waiting())[0]).toEqual({ revision: 5, reason: expect.stringMatching(/^Postgres refused/) })
  expect((await waiting()).length).toBe(4)
  await still()
  expect(await retried(lines, { part: 4 })).toMatchObject({ applied: 4, reason: null })
  expect(await rig.wrongRows([lines])).toEqual([])
})

test('a block stands after each part, also of a retry that ends before it', async () => {
  let refused = 'Buzzed'
  const failing: Projection = {
    ...relations,
    when: {
      ...relations.when,
      Buzzed: (event) => {
        if (refused === 'Buzzed') throw new Error('not yet')
        return relations.when.Buzzed!(event)
      },
      Matched: (event) => {
        if (refused === 'Matched') throw new Error('not yet')
        return relations.when.Matched!(event)
      },
    },
  }
  const shown = await liveOf(failing)
  const blocked = { type: 'Blocked', by: ann, target: bea, at: AT } as const
  await shown(poisoned, buzzed(ann, bea), { type: 'Matched', members: [ann, bea], at: AT }, blocked)
  const rows = async () =>
    (await rig.pool.query('select member, liked_at, liked_me_at, matched_at, blocked_at from read.relation order by 1'))
      .rows
  const seen = await rows()
  refused = 'Matched'
  expect(await retried(failing, { part: 1 })).toMatchObject({ applied: 1, reason: expect.stringMatching(/handler/) })
  expect(await rows()).toEqual(seen)
  refused = ''
  expect(await retried(failing, { part: 1 })).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([relations])).toEqual([])
})

test('who is erased after a part was decoded is not in its rows', async () => {
  const shown = await liveOf(lines)
  const mend = await refuse('p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 4))
  await mend()
  let erased = false
  const codec: QuarantineDeps['codec'] = {
    ...rig.codec,
    decode: async (stored) => {
      const decoded = await rig.codec.decode(stored)
      if (!stored.some(({ stream }) => stream === poisoned)) return decoded
      if (erased) throw new Error('stopped')
      erased = true
      await shown(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
      return decoded
    },
  }
  const left = async () => (await rig.pool.query('select from read.line')).rowCount
  await expect(retried(lines, { codec, part: 2 })).rejects.toThrow('stopped')
  expect([erased, await left(), (await waiting()).length]).toEqual([true, 0, 2])
  expect(await retried(lines, { part: 2 })).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([lines])).toEqual([])
})

const readAll = (who: MemberId, upTo: string): EventNamed<'AllNotificationsRead'> =>
  ({ type: 'AllNotificationsRead', member: who, upTo, notifications: null, at: AT }) as never

test('a retry of a pair does again what its members did meanwhile, and a rebuild agrees', async () => {
  const shown = await liveOf(notifications)
  const mend = await refuse('p_notifications_v3.notification', `new.from_member = '${ann}'`)
  await shown(poisoned, buzzed(ann, bea))
  const upTo = await rig.append(pairStream(cat, bea), buzzed(cat, bea))
  await shown(`inbox-${bea}`, readAll(bea, upTo))
  await shown(poisoned, { type: 'Matched', members: [bea, ann], at: AT })
  const [, last] = await rig.log.read(poisoned)
  await shown(`inbox-${bea}`, readAll(bea, last!.position))
  await mend()
  expect(await retried(notifications, { part: 1 })).toMatchObject({ applied: 2, reason: null })
  expect(await rig.wrongRows([notifications])).toEqual([])
  const { log, codec, keys, pool } = rig
  const deps = { log, codec, keys, pool, signal: new AbortController().signal }
  expect(await rebuild(deps, notifications)).toMatchObject({ swapped: true, verdict: { same: true } })
})

test('what waits in quarantine itself is not done by the retry of another key', async () => {
  let refused = true
  const failing: Projection = {
    ...notifications,
    when: {
      ...notifications.when,
      AllNotificationsRead: (event: RecordedEvent<'AllNotificationsRead'>) => {
        if (refused) throw new Error('not yet')
        return notifications.when.AllNotificationsRead!(event)
      },
    },
  }
  const shown = await liveOf(failing)
  const mend = await refuse('p_notifications_v3.notification', `new.from_member = '${ann}'`)
  await shown(poisoned, buzzed(ann, bea))
  await shown(`inbox-${bea}`, readAll(bea, await rig.log.head()))
  await mend()
  expect(await retried(failing)).toMatchObject({ applied: 1, reason: null })
  refused = false
  const [inbox] = await findQuarantined(rig, uuidFrom(`inbox-${bea}`, 0), 'notifications')
  expect(await retryQuarantined(rig, failing, inbox!)).toMatchObject({ applied: 1, reason: null })
  expect(await rig.wrongRows([notifications])).toEqual([])
})

test('where members did more meanwhile than a part takes, it is reported', async () => {
  const shown = await liveOf(notifications)
  const mend = await refuse('p_notifications_v3.notification', `new.from_member = '${ann}'`)
  await shown(poisoned, buzzed(ann, bea))
  const head = await rig.log.head()
  await shown(`inbox-${bea}`, readAll(bea, head), readAll(bea, head), readAll(bea, head))
  await mend()
  expect(await retried(notifications, { beside: 2 })).toMatchObject({ applied: 1, incomplete: true })
})

test('tables of another version are left to the release that feeds them', async () => {
  const shown = await liveOf(lines)
  const mend = await refuse('p_lines_v1.line', 'new.number = 1')
  await shown(poisoned, ...words(1, 4))
  await mend()
  const [found] = await findQuarantined(rig, poisoned, 'lines')
  const later = { ...lines, version: lines.version + 1 }
  const reason = expect.stringContaining(`this code has ${later.version}`)
  expect(await retryQuarantined(rig, later, found!)).toMatchObject({ applied: 0, reason })
  expect(await retried(lines)).toMatchObject({ applied: 4, reason: null })
})
