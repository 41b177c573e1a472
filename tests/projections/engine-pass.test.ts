import { afterEach, expect, test } from 'vitest'
import { type Position, START } from '../../domain/shared/recorded.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { allProjections } from '../../projections/all-projections.ts'
import { listTargets } from '../../projections/engine/checkpoints.ts'
import { changesOf } from '../../projections/engine/fold.ts'
import { type RebuildDeps, rebuild, rebuildAll } from '../../projections/engine/rebuild.ts'
import type { Projection } from '../../projections/projection.ts'
import { writeMix } from '../bench/rebuild/mix-log.ts'
import { eventsOf } from '../support/events-of-log.ts'
import { cards, lines, tallies, toys } from '../support/toy-projections.ts'
import { countedPool } from './counted-pool.ts'
import { AT, appendLoad, type EngineRig, member, pairStream, sent, startEngineRig } from './engine-rig.ts'

let rig: EngineRig
afterEach(() => rig.stop())

const deps = (more: Partial<RebuildDeps> = {}): RebuildDeps => {
  const { log, codec, keys, pool, logDatabase: table } = rig
  return { log, codec, keys, pool, table, signal: new AbortController().signal, ...more }
}
const MIXED = 2_000
const startMixed = () => startEngineRig((database, keys) => writeMix(database, keys, MIXED))
const liveAt = async () =>
  (await listTargets(rig.pool))
    .filter(({ state }) => state === 'live')
    .map(({ name, position }) => ({ name, position }))
const failed = (done: readonly PromiseSettledResult<unknown>[]) =>
  done.map((one) => (one.status === 'rejected' ? (one.reason as Error).message : null))

test('all read models are made in one pass over a mix, each event read and decoded once', async () => {
  rig = await startMixed()
  let [decoded, read] = [0, 0]
  const codec = createCodec(rig.keys)
  const counting = {
    ...codec,
    decode: (events: Parameters<typeof codec.decode>[0]) => {
      decoded += events.length
      return codec.decode(events)
    },
  }
  const log = {
    ...rig.log,
    readAll: async (...given: Parameters<typeof rig.log.readAll>) => {
      const page = await rig.log.readAll(...given)
      read += page.length
      return page
    },
  }
  const done = await rebuildAll(deps({ log, codec: counting, table: undefined }), allProjections)
  expect(failed(done)).toEqual(allProjections.map(() => null))
  expect([decoded, read]).toEqual([MIXED, MIXED])
  const head = await rig.log.head()
  expect(await liveAt()).toEqual([...allProjections].map(({ name }) => ({ name, position: head })).sort(byName))
  expect(await rig.wrongRows(allProjections)).toEqual([])
})
const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

test.each([
  ['at once', 2_000],
  ['now and then', 200_000],
])(
  'rows that go from memory %s are, with those of erased members, a fold event by event',
  async (_when, bytesInMemory) => {
    rig = await startMixed()
    const written = await rig.log.readAll(START, MIXED)
    expect(written.map(({ type }) => type)).toContain('AccountErased')
    const { pool, since } = countedPool({ ...rig.config, max: 16 })
    pool.on('error', () => undefined)
    const done = await rebuildAll(deps({ pool, bytesInMemory }), allProjections)
    expect(failed(done)).toEqual(allProjections.map(() => null))
    const asked = since()
    expect(asked.filter((text) => text.startsWith('create temp table')).length).toBeGreaterThan(0)
    expect(asked.filter((text) => text.startsWith('select t.')).length).toBeGreaterThan(0)
    expect(await rig.wrongRows(allProjections)).toEqual([])
    // Again beside live ones: every row is compared with them.
    const again = await rebuildAll(deps({ pool, bytesInMemory, writeEveryMs: -1 }), allProjections)
    expect(again.map((one) => one.status === 'fulfilled' && one.value.verdict?.same)).toEqual(
      allProjections.map(() => true),
    )
    await pool.end()
  },
)

test('read models that go together have one limit of memory', async () => {
  rig = await startMixed()
  const fits = 4_000_000
  const { pool, since } = countedPool({ ...rig.config, max: 16 })
  pool.on('error', () => undefined)
  const spilled = () => since().filter((text) => text.startsWith('create temp table')).length
  for (const projection of allProjections) await rebuild(deps({ pool, bytesInMemory: fits }), projection)
  expect(spilled()).toBe(0)
  await rebuildAll(deps({ pool, bytesInMemory: fits }), allProjections)
  expect(spilled()).toBeGreaterThan(0)
  await pool.end()
})

test('rows are looked for by values that an index or the key begins with', async () => {
  rig = await startMixed()
  const looked = new Set<string>()
  for await (const event of eventsOf(rig.log, rig.codec)) {
    for (const projection of allProjections) {
      for (const change of changesOf(projection, [event])) {
        if (!('where' in change)) continue
        const { table, where } = change
        const begins = [table.key[0]!, ...(table.indexes ?? []).map(({ on }) => on.split(/[ ,]/)[0]!)]
        looked.add(`${table.name} by ${Object.keys(where)}: ${begins.some((column) => column in where)}`)
      }
    }
  }
  expect(looked.size).toBeGreaterThan(8)
  expect([...looked].filter((one) => one.endsWith('false'))).toEqual([])
})

test('one that cannot take an event stops alone, named, and its readers keep what they had', async () => {
  rig = await startEngineRig()
  await appendLoad(rig, 3)
  await rebuildAll(deps(), toys)
  const [ann, bea] = [member('Ann'), member('Bea')]
  await rig.append(pairStream(ann, bea), { ...sent(ann, bea, 1), text: 'a\u0000secret' }, sent(bea, ann, 2))
  await appendLoad(rig, 3, 'later')
  const before = await liveAt()
  const done = await rebuildAll(deps({ writeEveryMs: -1 }), toys)
  expect(failed(done)).toEqual([
    null,
    null,
    expect.stringMatching(/^lines: MessageSent .*@0\): Postgres refused the row/),
  ])
  const head = await rig.log.head()
  const kept = before.find(({ name }) => name === 'lines')
  expect(await liveAt()).toEqual([{ name: 'cards', position: head }, kept, { name: 'tallies', position: head }])
  expect(await rig.wrongRows([cards, tallies])).toEqual([])
})

test('in a first start one quarantines a poisonous event, and the others are filled in the same pass', async () => {
  rig = await startEngineRig()
  await appendLoad(rig, 3)
  const [ann, bea] = [member('Ann'), member('Bea')]
  await rig.append(pairStream(ann, bea), sent(ann, bea, 13))
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  const strict: Projection = {
    ...lines,
    when: {
      ...lines.when,
      MessageSent: (event) => {
        if (event.number === 13) throw new Error(`no room for ${event.text}`)
        return lines.when.MessageSent!(event)
      },
    },
  }
  const projector = rig.project([tallies, strict, cards], { table: rig.logDatabase })
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  expect(projector.status().map(({ name, quarantined }) => [name, quarantined])).toEqual([
    ['tallies', 0],
    ['lines', 1],
    ['cards', 0],
  ])
  expect(await rig.wrongRows([tallies, cards])).toEqual([])
})

test('read models that stand at different places meet in one pass, and fold nothing twice', async () => {
  rig = await startEngineRig()
  await appendLoad(rig, 6)
  const stop = new AbortController()
  // One has been filled to the head that was, and was stopped there.
  const onProgress = ({ phase }: { phase: string }) => phase === 'index' && stop.abort()
  await expect(rebuild(deps({ signal: stop.signal, onProgress }), tallies)).rejects.toThrow()
  await appendLoad(rig, 6, 'later')
  const from = new Map<string, Position>()
  const done = await rebuildAll(deps({ bytesInMemory: 5_000 }), toys, {
    onProgress: (name, progress) => void from.set(name, progress.from),
  })
  expect(failed(done)).toEqual([null, null, null])
  expect([...from].map(([name, position]) => [name, position > START])).toEqual(
    expect.arrayContaining([
      ['tallies', true],
      ['lines', false],
    ]),
  )
  expect(await rig.wrongRows(toys)).toEqual([])
})
