import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChainRig, startChainRig } from './chain-rig.ts'
import { fillSql } from './fill-log.ts'

let rig: ChainRig
beforeEach(async () => {
  rig = await startChainRig()
  await rig.write('member-ann', 4)
  await rig.write('pair-ann_bea', 3)
  await rig.write('member-bea', 3)
})
afterEach(() => rig.stop())

const target = { position: 6, stream: 'pair-ann_bea', revision: 1 }

test('an untouched log is what was sealed, and a second look finds nothing new', async () => {
  expect(await rig.verify()).toMatchObject({ ok: true, problems: [], events: 0, sealed: 10, heads: 1 })
  await rig.write('member-ann', 2)
  expect(await rig.verify()).toMatchObject({ ok: true, events: 10, sealed: 2, heads: 2 })
  expect(await rig.verify()).toMatchObject({ ok: true, events: 12, sealed: 0, heads: 2 })
})

const flips: readonly [string, string][] = [
  ['data', 'data = set_byte(data, 5, get_byte(data, 5) # 1)'],
  ['metadata', 'metadata = set_byte(metadata, 3, get_byte(metadata, 3) # 4)'],
  ['white space of the data', `data = replace(convert_from(data, 'utf8'), ':', ': ')::bytea`],
  ['type', `type = 'Notee'`],
  ['id', `id = (left(id::text, 35) || translate(right(id::text, 1), '0123456789abcdef', '123456789abcdef0'))::uuid`],
  ['form', 'json = not json'],
  ['time', 'created = created + 1'],
]

test.each(flips)('a changed byte in the %s of one event names it', async (_what, change) => {
  await rig.seal()
  await rig.tamper(`update log.event set ${change} where position = 6`)
  const { rows } = await rig.tamper('select 1 from log.event where position = 6')
  expect(rows).toHaveLength(1)
  expect((await rig.verify()).problems).toEqual([{ kind: 'changed', ...target }])
})

test('an event that was given to another stream or revision is named as what it was and what it is', async () => {
  await rig.seal()
  await rig.tamper(`update log.event set stream = 'pair-ann_eve' where position = 6`)
  await rig.tamper('update log.event set revision = 9 where position = 7')
  expect((await rig.verify()).problems).toMatchObject([
    { kind: 'changed', ...target, now: { stream: '?pair-ann_eve', revision: 1 } },
    { kind: 'changed', position: 7, stream: 'pair-ann_bea', revision: 2, now: { revision: 9 } },
  ])
})

test('two events that swapped positions are both named', async () => {
  await rig.seal()
  await rig.tamper('update log.event set position = -position where position in (6, 9)')
  await rig.tamper('update log.event set position = case position when -6 then 9 else 6 end where position < 0')
  await rig.tamper('update log.stream set born = 0')
  expect((await rig.verify()).problems).toEqual([
    { kind: 'moved', position: 6, stream: 'member-bea', revision: 1, from: 9 },
    { kind: 'moved', position: 9, stream: 'pair-ann_bea', revision: 1, from: 6 },
  ])
})

test('a removed event is named, also the first, the last and a whole stream', async () => {
  await rig.seal()
  await rig.tamper('delete from log.event where position in (1, 5, 6, 7, 10)')
  expect((await rig.verify()).problems).toEqual([
    { kind: 'removed', position: 1, stream: 'member-ann', revision: 0 },
    { kind: 'removed', position: 5, stream: 'pair-ann_bea', revision: 0 },
    { kind: 'removed', ...target },
    { kind: 'removed', position: 7, stream: 'pair-ann_bea', revision: 2 },
    { kind: 'removed', position: 10, stream: 'member-bea', revision: 2 },
  ])
})

test('an event that was slipped in before the others is named', async () => {
  await rig.seal()
  const copy = `select 0, 'member-eve', 0, gen_random_uuid(), type, json, created, data, metadata from log.event`
  await rig.tamper(fillSql(`${copy} where position = 1`))
  expect((await rig.verify()).problems).toEqual([{ kind: 'added', position: 0, stream: 'member-eve', revision: 0 }])
})

test.each([
  ['whose number is another stream’s', 'update log.event set stream_id = 99 where position = 6'],
  ['whose stream has another name', `update log.stream set name = 'pair-eve' where name = 'pair-ann_bea'`],
  ['before which its stream begins', `update log.stream set born = 1000 where name = 'pair-ann_bea'`],
])('an event %s is named, since no reader of its stream finds it', async (_name, tampering) => {
  await rig.seal()
  await rig.tamper(tampering)
  expect((await rig.verify()).problems).toContainEqual(
    expect.objectContaining({ kind: 'changed', ...target, now: expect.objectContaining({ stream: '?pair-ann_bea' }) }),
  )
})

test('one byte is found among many segments, by workers as well as alone', async () => {
  for (let n = 0; n < 5; n++) {
    await rig.write(`member-m${n}`, 5)
    await rig.seal()
  }
  await rig.tamper('update log.event set data = set_byte(data, 9, get_byte(data, 9) # 1) where position = 24')
  const alone = await rig.verify({ workers: 1 })
  const shared = await rig.verify({ workers: 2, workersFrom: 0 })
  expect(alone.problems).toEqual([{ kind: 'changed', position: 24, stream: 'member-m2', revision: 3 }])
  expect(shared.problems).toEqual(alone.problems)
  expect(shared.heads).toBe(5)
})

test('a log that differs gets no new seal on top', async () => {
  await rig.seal()
  await rig.write('member-ann', 1)
  await rig.tamper('delete from log.event where position = 3')
  expect(await rig.verify()).toMatchObject({ ok: false, sealed: 0, heads: 1 })
})

test('the chain continues after the log server and its readers have started again', async () => {
  await rig.seal()
  await rig.restart()
  await rig.write('member-ann', 2)
  expect(await rig.verify()).toMatchObject({ ok: true, events: 10, sealed: 2 })
})

test('progress counts up to every sealed event', async () => {
  await rig.seal()
  const seen: [string, number, number][] = []
  await rig.verify({ onProgress: ({ what, done, total }) => seen.push([what, done, total]) })
  expect(seen).toEqual([['verified', 10, 10]])
})
