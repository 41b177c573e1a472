import { expect, test } from 'vitest'
import type { AttackFigures } from './felt.ts'
import { brokenBy, line, type Memory } from './judged.ts'

const collected = (mib: number, live: number) => ({ mib, live, descriptors: 100, parts: ['log-process 1'] })
const SMALL: Memory = { before: collected(150, 60), after: collected(170, 65), again: collected(170, 65) }

const QUIET_ROUND: AttackFigures = {
  name: 'forms',
  seconds: 20,
  ms: [10],
  p50: 10,
  p99: 20,
  slowestUpload: 100,
  wrong: [],
  mib: 200,
  descriptors: 100,
  startMib: 180,
  peakMib: 300,
  draftsMib: 0,
  writtenMib: 0,
  busy: 0.2,
  ways: {},
}
const figures = (of: Partial<AttackFigures>): AttackFigures => ({ ...QUIET_ROUND, ...of })
const way = (reached: number, outcomes: Record<string, number>) => ({ reached, outcomes })
const broken = (of: Partial<AttackFigures>, memory = SMALL) => brokenBy([figures(of)], memory)

test('an attack that met limits alone has shown nothing', () => {
  expect(broken({ ways: { forms: way(2_000, { 413: 2_000, 429: 10 }) } })).toEqual([])
  const [problem, ...more] = broken({ ways: { forms: way(0, { 403: 2_000 }) } })
  expect(problem).toMatch(/^forms: forms +0 read: 2000 403$/)
  expect(more).toEqual([])
})

test('beside all others, and in less time, a way has to reach less', () => {
  const ways = { 'slow-header': way(20, { dripping: 20 }) }
  expect(broken({ name: 'slow-header', ways })).toHaveLength(1)
  expect(broken({ name: 'all at once', ways })).toEqual([])
  expect(broken({ name: 'slow-header', seconds: 1, ways })).toEqual([])
})

test('an answer of 5xx is a failure, but for one that asks to come again', () => {
  const ways = { 'clip-bombs': way(100, { 400: 100, 500: 2, 503: 30 }) }
  expect(broken({ ways })).toEqual(['forms: clip-bombs was answered 500 2 times'])
})

test('large files have to reach the disk, and not the memory', () => {
  const ways = { uploads: way(100, { 200: 100 }) }
  expect(broken({ ways, writtenMib: 4_900 })).toEqual([])
  expect(broken({ ways })).toEqual(['forms: 0 MiB reached the disk'])
  expect(broken({ ways, writtenMib: 4_900, peakMib: 1_900 })).toEqual(['forms: 1900 MiB at most'])
  expect(broken({ name: 'uploads', peakMib: 400 })).toEqual(['uploads: 180 MiB became 400'])
})

test('memory is back within a fifth, of objects and of all, each time', () => {
  expect(broken({}, { ...SMALL, after: collected(181, 65) })).toEqual(['150 MiB became 181'])
  expect(broken({}, { ...SMALL, again: collected(170, 73) })).toEqual(['60 MiB of objects became 73'])
})

test('each process that serves the port may have as much at most', () => {
  expect(broken({ peakMib: 900 })).toEqual(['forms: 900 MiB at most'])
  expect(brokenBy([figures({ peakMib: 900 })], SMALL, 2)).toEqual([])
})

test('each way has a line with what came of it', () => {
  expect(line(figures({ ways: { forms: way(3, { 413: 3, cut: 1 }) } }))).toMatch(/\n {2}forms +3 read: 3 413, 1 cut$/)
})
