import { afterAll, beforeAll, expect, test } from 'vitest'
import { pairDecider } from '../../domain/pair/decider.ts'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { type Log, openLog } from '../../eventstore/log.ts'
import { AnswerLost } from '../../eventstore/retry.ts'
import { silentServer } from '../support/servers/silent-log.ts'
import { until } from '../support/until.ts'
import { as, member, type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig.stop())

const [ann, bea] = [member('Ann'), member('Bea')]
const buzz = {
  type: 'Buzz' as const,
  from: ann,
  to: bea,
  via: 'discover' as const,
  at: new Date('2030-01-01T12:00:00Z'),
}

test('while the log is silent, however many commands there are on a stream, each sender hears it in time', async () => {
  const silent = await silentServer()
  const log = openLog({ connectionString: silent.connectionString })
  const { dispatch } = createDispatch({ log, codec: rig.codec, keys: rig.keys })
  // However busy the machine is, it does not strike before those that were set in the same moment to less.
  const clock = AbortSignal.timeout(1_500)
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, () => dispatch(pairDecider, buzz, { ...as(ann), withinMs: 300 })),
  )
  expect(answers.map((answer) => answer.status === 'rejected' && answer.reason instanceof AnswerLost)).toEqual(
    answers.map(() => true),
  )
  expect(clock.aborted).toBe(false)
  await log.close()
  silent.stop()
})

/** Reads nothing until it is open; `begun`: the streams that are asked for. */
function gated() {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const begun: string[] = []
  async function* read(...asked: Parameters<Log['pages']>) {
    begun.push(asked[0])
    await gate
    yield* rig.log.pages(...asked)
  }
  return { read, begun, open: () => open() }
}

test('a command whose turn comes too late, or that has read its stream too late, is not carried out', async () => {
  const { read, open } = gated()
  const seen: string[] = []
  const log: typeof rig.log = {
    ...rig.log,
    pages: read,
    append(stream, expected, stored) {
      seen.push(...stored.map(({ type }) => `${type} is written`))
      return rig.log.append(stream, expected, stored)
    },
  }
  const codec: typeof rig.codec = {
    ...rig.codec,
    async encode(stream, events, ...more) {
      const stored = await rig.codec.encode(stream, events, ...more)
      setImmediate(() => seen.push(...events.map(({ type }) => `${type} is decided`)))
      return stored
    },
  }
  const { dispatch } = createDispatch({ log, codec, keys: rig.keys })
  const answers = [buzz, { ...buzz, type: 'WithdrawBuzz' as const }].map((command) =>
    expect(dispatch(pairDecider, command, { ...as(ann), withinMs: 50 })).rejects.toThrow(AnswerLost),
  )
  await Promise.all(answers)
  open()
  await until('the one that has read its stream is decided', () => seen.includes('Buzzed is decided'))
  expect(seen).toEqual(['Buzzed is decided'])
  const block = { type: 'Block' as const, by: bea, target: ann, at: buzz.at }
  expect(await dispatch(pairDecider, block, as(bea))).toMatchObject({ ok: true })
  const types = (await rig.log.read(`pair-${pairIdOf(ann, bea)}`)).map(({ type }) => type)
  expect(types).toEqual(['Blocked'])
})

test('a turn ends with the time of its sender, whatever it waits for, and the next command has its own', async () => {
  const [cat, dan] = [member('Cat'), member('Dan')]
  let asked = 0
  const ensure: typeof rig.keys.ensure = (...wanted) =>
    ++asked === 1 ? new Promise(() => undefined) : rig.keys.ensure(...wanted)
  const keys = { ...rig.keys, ensure, onForget: () => undefined }
  const { dispatch } = createDispatch({ log: rig.log, codec: rig.codec, keys })
  const between = { ...buzz, from: cat, to: dan }
  await expect(dispatch(pairDecider, between, { ...as(cat), withinMs: 100 })).rejects.toThrow(AnswerLost)
  expect(await dispatch(pairDecider, between, { ...as(cat), withinMs: 50_000 })).toMatchObject({ ok: true })
})

test('a stream that takes longer to read than its sender waits is read once, and there for the next command', async () => {
  const [eve, fay] = [member('Eve'), member('Fay')]
  const between = { ...buzz, from: eve, to: fay }
  await createDispatch({ log: rig.log, codec: rig.codec, keys: rig.keys }).dispatch(pairDecider, between, as(eve))
  const { read, begun, open } = gated()
  const log: typeof rig.log = { ...rig.log, pages: read }
  let decided = 0
  const codec: typeof rig.codec = {
    ...rig.codec,
    async encode(...asked) {
      const stored = await rig.codec.encode(...asked)
      setImmediate(() => decided++)
      return stored
    },
  }
  const { dispatch } = createDispatch({ log, codec, keys: rig.keys })
  const withdraw = { type: 'WithdrawBuzz' as const, from: eve, to: fay, at: buzz.at }
  for (const _ of [1, 2])
    await expect(dispatch(pairDecider, withdraw, { ...as(eve), withinMs: 50 })).rejects.toThrow(AnswerLost)
  open()
  await until('it is decided too late', () => decided === 2)
  expect(await dispatch(pairDecider, withdraw, as(eve))).toMatchObject({ ok: true })
  expect(begun).toHaveLength(1)
})

test('what was begun to be read of a member who is erased meanwhile is neither joined nor kept', async () => {
  const [gil, hal] = [member('Gil'), member('Hal')]
  await createDispatch({ log: rig.log, codec: rig.codec, keys: rig.keys }).dispatch(
    pairDecider,
    { ...buzz, from: gil, to: hal },
    as(gil),
  )
  const { read, begun, open } = gated()
  let forget = (_subject: string) => {}
  const keys: typeof rig.keys = Object.assign(Object.create(rig.keys), {
    onForget(listener: (subject: string) => void) {
      forget = listener
    },
  })
  const { dispatch, loadState } = createDispatch({ log: { ...rig.log, pages: read }, codec: rig.codec, keys })
  const withdraw = { type: 'WithdrawBuzz' as const, from: gil, to: hal, at: buzz.at }
  const first = dispatch(pairDecider, withdraw, { ...as(gil), withinMs: 50 })
  await expect(first).rejects.toThrow(AnswerLost)
  forget(gil)
  const second = loadState(pairDecider, pairIdOf(gil, hal))
  await until('it is read anew', () => begun.length === 2)
  open()
  await second
})
