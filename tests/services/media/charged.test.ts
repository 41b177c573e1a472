import { expect, test } from 'vitest'
import type { Parsing } from '../../../services/media/parse/parsing.ts'
import { WORKER_LIMITS } from '../../../services/media/workers/limits.ts'
import { createTurns, type Turns } from '../../../services/media/workers/turns.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { openable } from '../../support/servers/openable.ts'

/** Workers in these turns, of which each file gets the next answer, and takes so many milliseconds of a processor. */
const workersIn = (turns: Turns, answers: object[], spent: (number | undefined)[] = []) =>
  createMediaWorkers({
    turns,
    startWith: () => ({
      pid: 1,
      ended: new Promise(() => undefined),
      ask: async () => answers.shift() as never,
      isFit: () => true,
      spentMs: () => spent.shift(),
      kill: () => undefined,
    }),
  })
const MIB = 1024 * 1024
/** Turns of one place, and whose files began, in order. */
function watched(limits: Partial<typeof WORKER_LIMITS> = {}, clock?: () => number) {
  const begun: string[] = []
  const turns = createTurns({ ...WORKER_LIMITS, workers: 1, ...limits }, clock)
  const inTurn: Turns['inTurn'] = (uploader, work, rules) => {
    const begin = () => {
      begun.push(uploader)
      return work()
    }
    return turns.inTurn(uploader, begin, rules)
  }
  return { turns: { ...turns, inTurn }, begun }
}
const parsingOf = (size: number) => ({ file: { size } }) as Parsing
const parsing = parsingOf(0)

test('a file that is not taken counts for its sender, and one for no fault of its own does not', async () => {
  const charged: string[] = []
  const charge: Turns['charge'] = (one, ms) => void (ms > 0 && charged.push(one))
  const turns: Turns = { inTurn: (_, work) => work(), charge, close: () => undefined }
  const answers = [{ ok: true }, ...['busy', 'crash', 'unsupported'].map((reason) => ({ ok: false, reason }))]
  const workers = workersIn(turns, answers)
  for (const uploader of ['ann', 'bea', 'cid', 'mallory']) await workers.parse(uploader, parsing)
  expect(charged).toEqual(['mallory'])
})

test('a file that is not taken counts before the next one begins', async () => {
  const turns = createTurns({ ...WORKER_LIMITS, workers: 1 })
  const order: string[] = []
  const inTurn: Turns['inTurn'] = (uploader, work, rules) =>
    turns.inTurn(uploader, () => work().finally(() => order.push('ended')), rules)
  const charge: Turns['charge'] = (_, ms) => void (ms > 0 && order.push('refused'))
  const workers = workersIn({ ...turns, inTurn, charge }, [{ ok: false, reason: 'unsupported' }])
  await workers.parse('mallory', parsing)
  expect(order).toEqual(['refused', 'ended'])
})

test('a picture is before large clips that came first, whoever sends them for the first time', async () => {
  const { turns, begun } = watched()
  const workers = workersIn(turns, Array(7).fill({ ok: true }))
  turns.charge('ann', 300)
  const sent = ['mallory', 'oscar', 'trudy'].map((one) => workers.parse(one, parsingOf(49 * MIB)))
  await Promise.all([...sent, workers.parse('ann', parsingOf(200_000))])
  expect(begun).toEqual(['mallory', 'ann', 'oscar', 'trudy'])
  turns.charge('oscar', 100)
  await Promise.all(['bea', 'oscar', 'ann'].map((one) => workers.parse(one, parsingOf(0))))
  expect(begun.slice(4)).toEqual(['bea', 'oscar', 'ann'])
})

test('files that are answered busy work off nothing of what refused ones count', async () => {
  let at = 0
  const { turns, begun } = watched({ waitMs: 20 }, () => at)
  const workers = workersIn(turns, [{ ok: false, reason: 'unsupported' }, { ok: true }, { ok: true }])
  await workers.parse('mallory', parsing)
  turns.charge('ann', 3_000)
  const gate = openable()
  const under = turns.inTurn('bea', () => gate.opened)
  const clips = Array.from({ length: 50 }, () => workers.parse('mallory', parsingOf(50 * MIB)))
  at += 15_000
  expect((await Promise.all(clips)).every((one) => !one.ok && one.reason === 'busy')).toBe(true)
  const last = ['mallory', 'ann'].map((one) => workers.parse(one, parsingOf(MIB)))
  gate.open()
  await Promise.all([under, ...last])
  expect(begun).toEqual(['mallory', 'bea', 'ann', 'mallory'])
})

test('a picture counts what its process spent on it', async () => {
  const { turns, begun } = watched({}, () => 0)
  const workers = workersIn(turns, Array(4).fill({ ok: true }), [5_000, undefined])
  await workers.parse('mallory', parsing)
  await workers.parse('ann', parsing)
  const gate = openable()
  const under = turns.inTurn('bea', () => gate.opened)
  const sent = ['mallory', 'ann'].map((one) => workers.parse(one, parsing))
  gate.open()
  await Promise.all([under, ...sent])
  expect(begun).toEqual(['mallory', 'ann', 'bea', 'ann', 'mallory'])
})
