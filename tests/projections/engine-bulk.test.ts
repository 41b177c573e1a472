import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Position, START } from '../../domain/shared/recorded.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { tablePages } from '../../eventstore/log-table.ts'
import { compareAndSwapCheckpoints, findTarget } from '../../projections/engine/checkpoints.ts'
import { runPass } from '../../projections/engine/fill/pass.ts'
import { type RebuildDeps, rebuild } from '../../projections/engine/rebuild.ts'
import { findOrMakeTarget } from '../../projections/engine/targets.ts'
import { fromLater } from '../eventstore/later-release.ts'
import { cards, lines, tallies } from '../support/toy-projections.ts'
import { countedPool } from './counted-pool.ts'
import { AT, appendLoad, buzzed, type EngineRig, member, pairStream, sent, startEngineRig } from './engine-rig.ts'

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const deps = (more: Partial<RebuildDeps> = {}): RebuildDeps => {
  const { log, codec, keys, pool, logDatabase: table } = rig
  return { log, codec, keys, pool, table, signal: new AbortController().signal, ...more }
}

test('the log’s own table gives the events that the client gives, bit for bit', async () => {
  await appendLoad(rig, 3)
  const without = ['Matched']
  const read = []
  for await (const page of tablePages(rig.logDatabase, { after: START, to: await rig.log.head(), without }))
    read.push(...page.events)
  expect(read).toEqual(await rig.log.readAll(START, 1_000))
  const [first] = read
  const rest = []
  for await (const page of tablePages(rig.logDatabase, { after: first!.position, to: await rig.log.head(), without }))
    rest.push(...page.events)
  expect(rest).toHaveLength(read.length - 1)
})

test('of the log’s own table a reader gets what it does not leave out, types that nobody knows among it', async () => {
  const [ann, bea] = [member('Ann'), member('Bea')]
  await rig.append(pairStream(ann, bea), buzzed(ann, bea), sent(ann, bea, 1))
  await rig.log.append('other', 'no_stream', [fromLater('Waved')])
  const typesWithout = async (without: readonly string[]) => {
    const read: string[] = []
    for await (const { events } of tablePages(rig.logDatabase, { after: START, to: await rig.log.end(), without }))
      read.push(...events.map(({ type }) => type))
    return read
  }
  expect(await typesWithout(['Buzzed'])).toEqual(['MessageSent', 'Waved'])
  expect(await typesWithout([])).toEqual(['Buzzed', 'MessageSent', 'Waved'])
})

test('a reader of the log’s own table may be slow, stop early or be called off, and misses nothing', async () => {
  const [ann, bea] = [member('Ann'), member('Bea')]
  for (const turn of [0, 1, 2]) {
    const numbers = Array.from({ length: 700 }, (_, index) => 700 * turn + index + 1)
    await rig.append(pairStream(ann, bea), ...numbers.map((number) => sent(ann, bea, number)))
  }
  const span = { after: START, to: await rig.log.head(), without: [] }
  const read: number[] = []
  let [passed, pages] = [0, 0]
  for await (const page of tablePages(rig.logDatabase, span)) {
    // A question of its own between two pages: the copy stands still meanwhile.
    await rig.pool.query('select from app.projection')
    read.push(...page.events.map(({ revision }) => revision))
    passed += page.passed
    pages++
  }
  expect(read).toEqual(Array.from({ length: 2_100 }, (_, index) => index))
  expect([passed, pages > 4]).toEqual([Number.parseInt(span.to, 36), true])
  for await (const page of tablePages(rig.logDatabase, span)) {
    expect(page.events[0]!.revision).toBe(0)
    break
  }
  const stop = new AbortController()
  const calledOff = async () => {
    for await (const _page of tablePages(rig.logDatabase, { ...span, signal: stop.signal }))
      stop.abort(new Error('off'))
  }
  await expect(calledOff()).rejects.toThrow('off')
})

test('rows that were filled from the table, by COPY, are a fold of the log', async () => {
  await appendLoad(rig, 3)
  await rebuild(deps(), tallies)
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('a projector fills its first tables from the log’s own table too, and asks the client only for what comes after', async () => {
  await appendLoad(rig, 3)
  let asked = 0
  const counting = {
    ...rig.log,
    readAll: (...[after, limit, signal]: Parameters<typeof rig.log.readAll>) => {
      if (limit > 1) asked++
      return rig.log.readAll(after, limit, signal)
    },
  }
  const projector = rig.project([tallies], { log: counting, table: rig.logDatabase })
  await projector.start()
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  expect(asked).toBe(0)
  await appendLoad(rig, 1, 'later')
  expect(await projector.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('a filling through the client ends where the log ended when it asked, however fast the log grows', async () => {
  const [ann, bea] = [member('Ann'), member('Bea')]
  const stream = pairStream(ann, bea)
  let number = 0
  const grow = () => rig.append(stream, ...Array.from({ length: 500 }, () => sent(ann, bea, ++number)))
  await grow()
  let reads = 0
  const growing = {
    ...rig.log,
    // Every page is full: its end never means that the log has ended.
    readAll: async (after: Position, limit: number) => {
      if (limit > 1) await grow()
      if (++reads > 40) throw new Error('it reads on and on')
      return rig.log.readAll(after, limit)
    },
  }
  const filled = await rebuild(deps({ log: growing, table: undefined }), tallies)
  expect(filled.swapped).toBe(true)
  expect(filled.position < (await rig.log.head())).toBe(true)
})

test('rows that do not fit into memory are changed by index where they are, and are a fold of the log', async () => {
  await appendLoad(rig, 40)
  const [ann, bea] = [member('load0'), member('load1')]
  await rig.append(`member-${ann}`, { type: 'AccountErased', member: ann, at: AT })
  await rig.append(pairStream(ann, bea), { type: 'Unmatched', by: bea, target: ann, at: AT })
  const { pool, since } = countedPool(rig.config)
  await rebuild(deps({ pool, bytesInMemory: 20_000, table: undefined }), lines)
  const asked = since()
  const [indexed, changed] = ['create index', 'update "p_lines'].map((start) =>
    asked.findIndex((text) => text.startsWith(start)),
  )
  expect(indexed).toBeGreaterThan(-1)
  expect(changed).toBeGreaterThan(indexed!)
  expect(asked.filter((text) => text.startsWith('select t.'))).toEqual([])
  expect(await rig.wrongRows([lines])).toEqual([])
  await pool.end()
})

test('a filling that dies between two writes resumes behind the last of them', async () => {
  await appendLoad(rig, 3)
  const assignment = await findOrMakeTarget(rig.pool, rig.log, tallies)
  if (assignment.do !== 'fill') throw new Error('no tables to fill')
  const { target } = assignment
  const stored = await rig.log.readAll(START, 60)
  const half = stored[29]!.position
  const head = await rig.log.head()
  const pages = (async function* () {
    yield { events: stored.slice(0, 30), to: half, passed: 30 }
    yield { events: stored.slice(30), to: stored[59]!.position, passed: 30 }
    throw new Error('killed')
  })()
  let writes = 0
  const { codec, keys, pool } = rig
  const ended = new Promise((resolve) => {
    const { signal } = new AbortController()
    const model = { pool, projection: tallies, target, empty: true, head, signal, leave: resolve }
    void runPass(
      { codec, keys, writeEveryMs: -1 },
      [
        {
          ...model,
          index: async () => undefined,
          onPage: () => undefined,
          note: async (db, { to }) => {
            if (writes++ > 0) throw new Error('killed')
            expect(
              await compareAndSwapCheckpoints(db, [{ target, to, logId: stored[0]!.id, passed: 0, clock: null }]),
            ).toBe(1)
          },
        },
      ],
      pages,
    )
  })
  expect(await ended).toMatchObject({ message: 'killed' })
  expect((await findTarget(rig.pool, target))?.position).toBe(half)
  const from: string[] = []
  await rebuild(deps({ onProgress: (progress) => from.push(progress.from) }), tallies)
  expect(from[0]).toBe(half)
  expect(await rig.wrongRows([tallies])).toEqual([])
})

test('an event that Postgres does not take is named, though rows go in by COPY', async () => {
  const [ann, bea] = [member('Ann'), member('Bea')]
  const [one, stream] = [member('card'), pairStream(ann, bea)]
  await rig.append(stream, sent(ann, bea, 1))
  await rig.append(`profile-${one}`, { type: 'BioChanged', member: one, bio: 'a\u0000secret', at: new Date() })
  await expect(rebuild(deps(), cards)).rejects.toThrow(`BioChanged ${uuidFrom(`profile-${one}`, 0)}`)
})
