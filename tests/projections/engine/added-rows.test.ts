import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordedEvent } from '../../../domain/all-events.ts'
import { PoisonEvent } from '../../../projections/engine/batch-processor.ts'
import { layoutOf } from '../../../projections/engine/columns.ts'
import { AddedRows } from '../../../projections/engine/fill/added-rows.ts'
import { rebuild } from '../../../projections/engine/rebuild.ts'
import { type Change, fold, type Projection, put, type Table } from '../../../projections/projection.ts'
import { countedPool } from '../counted-pool.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

const [ann, bea] = [member('ann'), member('bea')]
type WordRow = {
  room: string
  number: number
  text: string
  more: readonly string[]
  tags: readonly string[]
  at: Date | null
}
const word: Table<WordRow> = {
  name: 'word',
  columns: {
    room: 'text collate "C" not null',
    number: 'integer not null',
    text: 'text not null',
    more: 'jsonb not null',
    tags: 'text[] not null',
    at: 'timestamptz',
  },
  key: ['room', 'number'],
  appended: true,
}
const SPOKEN = ['', 'a\tb\\n', 'two\nlines', '\\N', 'back\\slash\r']

const projectionOf = (change: (row: WordRow) => Change): Projection => ({
  name: 'words',
  version: 1,
  tables: [word],
  when: {
    MessageSent: ({ stream, number, at }: RecordedEvent<'MessageSent'>) => {
      const text = SPOKEN[number % SPOKEN.length]!
      return [change({ room: stream, number, text, more: [text, '"'], tags: [text, '"'], at: number % 2 ? at : null })]
    },
  },
})

/** How the rows came in, once they are a fold of the log. */
async function filled(projection: Projection): Promise<{ copied: boolean; oneByOne: boolean }> {
  await rig.append(pairStream(ann, bea), ...Array.from({ length: 12 }, (_, at) => sent(ann, bea, at + 1)))
  const { pool, since } = countedPool({ ...rig.config, max: 16 })
  const { log, codec, keys, logDatabase: table } = rig
  const signal = new AbortController().signal
  await rebuild({ log, codec, keys, pool, table, signal }, projection).finally(() => pool.end())
  const asked = since()
  expect(await rig.wrongRows([projection])).toEqual([])
  const begins = (text: string) => asked.some((one) => one.startsWith(text))
  return { copied: begins('copy '), oneByOne: begins('insert into "p_words') }
}

test('rows of a table that is appended to are copied as they come, whatever their text', async () => {
  expect(await filled(projectionOf((row) => put(word, row)))).toEqual({ copied: true, oneByOne: false })
})

test('two events that write one row of such a table end the copying, and the last one stands', async () => {
  const twice = projectionOf((row) => put(word, { ...row, number: row.number % 5 }))
  expect((await filled(twice)).oneByOne).toBe(true)
})

test('an event that changes a row of such a table ends the copying, and its change stands', async () => {
  const longer = projectionOf((row) =>
    fold(word, { room: row.room, number: 1 }, (old) => ({ ...row, number: 1, text: `${old?.text ?? ''}${row.text}` })),
  )
  expect((await filled(longer)).oneByOne).toBe(true)
})

test('an event that gives such a row another key than the one it names is poison, as for every table', async () => {
  const moved = projectionOf((row) => fold(word, { room: row.room, number: row.number + 100 }, () => row))
  await expect(filled(moved)).rejects.toThrow(PoisonEvent)
})

test('each row counts from the moment that it is added, until it is taken', () => {
  const added = new AddedRows(layoutOf(word))
  const counted = [1, 2].map((number) => {
    added.add(put(word, { room: 'räume', number, text: '💚', more: [], tags: [], at: null }))
    return added.bytes
  })
  const [first] = counted
  expect(counted).toEqual([first, 2 * first!])
  expect(added.take().reduce((sum, { length }) => sum + length, 0)).toBe(2 * first!)
  expect(added.bytes).toBe(0)
})

test('half a pair of surrogates becomes the same letter in a text and in a list, live and in a rebuild', async () => {
  const half = { text: '\ud83d', tags: ['fine', 'a\udc9a'] }
  const halves = projectionOf((row) => put(word, { ...row, ...half }))
  const projector = rig.project([halves])
  await projector.start()
  const appended = await rig.append(pairStream(ann, bea), sent(ann, bea, 1), sent(ann, bea, 2))
  expect(await projector.waitFor(appended, undefined, 20_000)).toBe(true)
  const { log, codec, keys, pool, logDatabase: table } = rig
  const rebuilt = await rebuild({ log, codec, keys, pool, table, signal: new AbortController().signal }, halves)
  expect(rebuilt).toMatchObject({ swapped: true, verdict: { same: true } })
  const { rows } = await pool.query('select distinct text, tags from read.word')
  expect(rows).toEqual([{ text: '\ufffd', tags: ['fine', 'a\ufffd'] }])
})
