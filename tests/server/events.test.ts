import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { allEvents } from '../../domain/all-events.ts'
import { defineEvent } from '../../domain/shared/event.ts'
import { personal } from '../../domain/shared/personal.ts'
import { checkGoldens, checkLock, checkStored } from '../../server/tools/events/check.ts'
import { describeEvent } from '../../server/tools/events/describe.ts'
import { type Released, readLock, released } from '../../server/tools/events/released.ts'
import { sourcesIn, stringsIn } from '../../server/tools/events/sources.ts'
import { countInLog, countInTable } from '../../server/tools/events/stored.ts'
import { readUsage, type Usage } from '../../server/tools/events/usage.ts'
import { startChainRig } from '../eventstore/chain-rig.ts'
import { tempDir } from '../support/temp-dir.ts'
import { runTool, runToolHere } from '../support/tool.ts'
import { wrong } from '../support/wrong.ts'

const usageOf = readUsage()

test('every event has one decider, and code of the domain that writes it', () => {
  for (const { type } of allEvents) {
    expect(usageOf(type).deciders, type).toHaveLength(1)
    expect(usageOf(type).written, type).not.toEqual([])
  }
})

test('who handles an event is found where it is handled', () => {
  expect(usageOf('Matched')).toMatchObject({
    deciders: ['pairDecider'],
    written: ['domain/pair/decider.ts'],
    pushes: ['realtime/pushes/matched.ts', 'realtime/rights/changes.ts'],
  })
  expect(usageOf('Matched').projections).toEqual(expect.arrayContaining(['relations', 'notifications']))
  expect(usageOf('PasswordChanged').reactors).toEqual(['mail-when-password-changed'])
  expect(usageOf('MemberReported').mentioned).toContain('server/tools/admin/evidence.ts')
})

test('a word counts as named where it is a value, and not where it is a type', () => {
  const words = new Set(sourcesIn('reactors').flatMap((source) => [...stringsIn(source)]))
  expect(words).toContain('PasswordChanged')
  expect(words).not.toContain('RecordedEvent')
})

test('the code holds what was released', async () => {
  expect(checkLock()).toEqual([])
  expect(await checkGoldens()).toEqual([])
})

test('a released version that changes, is new or is gone is named', () => {
  const [first, second, ...rest] = released as [Released, Released, ...Released[]]
  const changed = { ...first, schema: first.schema.extend({ more: z.string() }) }
  const added = { ...second, name: 'Skipped.v9' }
  const problems = checkLock([changed, ...rest, added], readLock())
  expect(problems.map((line) => line.split(/[.,;] |\.$/)[0])).toEqual([
    `${first.name} is not what was released`,
    'Skipped.v9 is not locked yet',
    `${second.name} was released and is not defined any more`,
  ])
})

test('versions in the log are counted, and one that cannot be read is named', async () => {
  const rig = await startChainRig()
  const stored = (type: string, metadata: object) => ({
    id: crypto.randomUUID(),
    type,
    data: {},
    metadata: { ...metadata },
  })
  await rig.log.append('pair-a_b', 'no_stream', [
    ...[stored('Buzzed', { schema: 1 }), stored('Buzzed', { schema: 1 }), stored('Buzzed', { schema: 7 })],
    ...[stored('Hugged', { schema: 1 }), stored('Matched', {})],
  ])
  const counts = await countInTable(rig.logDatabase.config)
  expect(counts).toEqual([
    { type: 'Buzzed', version: '1', events: 2 },
    { type: 'Buzzed', version: '7', events: 1 },
    { type: 'Hugged', version: '1', events: 1 },
    { type: 'Matched', version: 'none', events: 1 },
  ])
  expect(await countInLog(rig.log, () => undefined)).toEqual(counts)
  expect(checkStored(counts)).toEqual([
    'Buzzed, version 7, is in the log 1 time and unknown.',
    'Hugged, version 1, is in the log 1 time and unknown.',
    'Matched, version none, is in the log 1 time and unknown.',
  ])
  await rig.stop()
})

test('an event is shown with its versions, whose its fields are and how the old become new', () => {
  const at = z.coerce.date()
  const hugged = defineEvent(
    'Hugged',
    [
      z.object({ by: z.string(), at }),
      z.object({
        by: z.string(),
        words: personal('by', z.array(z.enum(['long', 'short']))),
        late: z.boolean().optional(),
        at,
      }),
    ],
    [(first) => ({ ...first, words: [] })],
  )
  const nobody: Usage = { deciders: [], written: [], projections: ['hugs'], reactors: [], pushes: [], mentioned: [] }
  const counts = [{ type: 'Hugged', version: '1', events: 1_200 }]
  const lines = describeEvent(wrong(hugged), nobody, counts)
  expect(lines.slice(0, 10)).toEqual([
    'Hugged',
    'Version 1, 1,200 in the log',
    '    by  string',
    '    at  date',
    '  becomes version 2 by (first) => ({ ...first, words: [] })',
    'Version 2, the latest, 0 in the log',
    '    by     string',
    '    words  list of "long" | "short"  personal, of by',
    '    late   boolean, may be absent',
    '    at     date',
  ])
  expect(lines).toContain('Projections        hugs')
})

test('the tool lists, shows and checks without a log, and a wrong call ends with 2', async () => {
  const DATA_DIR = join(tempDir(), 'none')
  mkdirSync(DATA_DIR)
  const run = (...args: string[]) => runToolHere('events', args, { DATA_DIR })
  const ran = await Promise.all([
    ...[run('list'), run('show', 'MessageSent'), runTool('events', ['check'], { DATA_DIR })],
    ...[run('show', 'Hugged'), run('list', 'twice')],
  ])
  const [list, show, check] = ran
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 2, 2])
  for (const { type } of allEvents) expect(list?.out).toMatch(new RegExp(`^${type} +v\\d+ +\\w+Decider`, 'm'))
  expect(show?.out).toMatch(/text +string +personal, of from/)
  expect(check?.out).toBe('Every event holds in the code and the golden files.\n')
}, 120_000)
