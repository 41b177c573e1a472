import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createCondition } from '../../projections/engine/condition.ts'
import { type Condition, Leases } from '../../projections/engine/leases.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, type EngineRig, startEngineRig } from './engine-rig.ts'

const MODELS = ['a', 'b', 'c', 'd']
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** A process that wants to feed these; `has` are those it may. */
function join(names = MODELS, conditionOf = (): Condition => 'keeps up') {
  const stop = new AbortController()
  const [change, error] = [() => undefined, () => undefined]
  const leases = new Leases(rig.config, names, { change, error, condition: async () => conditionOf() })
  for (const name of names) leases.want(name)
  const running = leases.run(stop.signal)
  const leave = async () => {
    stop.abort()
    await running
  }
  onTestFinished(leave)
  return { leases, leave, has: () => MODELS.filter((name) => leases.of(name)) }
}

test('one process has all while it keeps up, half once it is behind, and the other has all when it leaves', async () => {
  let condition: Condition = 'keeps up'
  const first = join(MODELS, () => condition)
  await until('it has all', () => first.has().length === 4)
  const second = join()
  await until('both are there', async () => (await rig.pool.query('select from app.projector')).rowCount === 2)
  expect([first.has().length, second.has().length]).toEqual([4, 0])
  const lost = first.leases.of('d')
  condition = 'behind'
  await until('each has half', () => first.has().length === 2 && second.has().length === 2)
  expect([...first.has(), ...second.has()].sort()).toEqual(MODELS)
  expect(lost?.aborted).toBe(true)
  await first.leave()
  await until('the second has all', () => second.has().length === 4)
})

test('what others do not want stays with the one that is behind', async () => {
  const first = join(MODELS, () => 'behind')
  await until('it has all', () => first.has().length === 4)
  const second = join(['c', 'd'])
  await until('the other has what it wants', () => second.has().length === 2)
  expect(first.has()).toEqual(['a', 'b'])
  second.leases.giveBack('d')
  await until('it is back', () => first.has().length === 3)
})

test('of what is wanted none is left to nobody, however many are behind and whatever others want', async () => {
  const all = [join(MODELS, () => 'behind'), join(MODELS, () => 'behind'), join(['a'])]
  await until('all are there', async () => (await rig.pool.query('select from app.projector')).rowCount === 3)
  const fed = () => new Set(all.flatMap(({ has }) => has())).size
  await until('each has an owner', () => fed() === 4)
})

test('a process that can feed nothing leaves all to another', async () => {
  let condition: Condition = 'keeps up'
  const sick = join(MODELS, () => condition)
  await until('it has all', () => sick.has().length === 4)
  condition = 'unfit'
  const sound = join()
  await until('the other has all', () => sound.has().length === 4)
  expect(sick.has()).toEqual([])
})

test('a process is behind that does not reach within five seconds what was the end of the log, unfit without the log', async () => {
  let [at, head, position]: [number, string, string] = [0, '1', '1']
  let answers = true
  const headOf = async () => {
    if (!answers) throw new Error('The log does not answer.')
    return head as never
  }
  const conditionOf = createCondition(
    headOf,
    () => [position as never],
    () => at,
  )
  const after = (ms: number) => {
    at += ms
    return conditionOf()
  }
  expect(await conditionOf()).toBe('keeps up')
  // Never at the end of a log that grows, and never far from it.
  for (const ahead of ['3', '5', '7']) {
    head = ahead
    expect(await after(3_000)).toBe('keeps up')
    position = ahead
  }
  head = '9'
  expect(await after(3_000)).toBe('keeps up')
  expect(await after(4_000)).toBe('keeps up')
  expect(await after(2_000)).toBe('behind')
  position = '9'
  expect(await after(1_000)).toBe('keeps up')
  answers = false
  expect(await after(1_000)).toBe('unfit')
})

/** As a process that has a lease and does no more rounds; its connection stays open until it is released. */
async function stuckWith(name: string) {
  const connection = await rig.pool.connect()
  const { rows } = await connection.query<{ process: string }>(
    `insert into app.projector (process, pid, started, wants, behind, seen_at)
     select gen_random_uuid(), pid, backend_start, array[$1], false, now() from pg_stat_activity where pid = pg_backend_pid()
     returning process`,
    [name],
  )
  const [{ process } = { process: '' }] = rows
  await connection.query('insert into app.projection_lease values ($1, $2)', [name, process])
  const seen = (ago: string) =>
    rig.pool.query('update app.projector set seen_at = now() - $2::interval where process = $1', [process, ago])
  return { connection, seen }
}

test('a process that stands still for five seconds loses its part, and one whose connection ended at once', async () => {
  const [still, dead] = [await stuckWith('a'), await stuckWith('b')]
  await still.seen('-1 minute')
  await dead.seen('-1 minute')
  const next = join(['a', 'b', 'c'])
  await until('it has what is free', () => next.has().join() === 'c')
  dead.connection.release(true)
  await until('it has what the dead one had', () => next.has().join() === 'b,c')
  await still.seen('6 seconds')
  await until('it has all', () => next.has().join() === 'a,b,c')
  still.connection.release(true)
})

test('a process without a lease shows what the other one made, and feeds the read models when that one stops', async () => {
  const projectors = [rig.project([tallies, lines]), rig.project([tallies, lines])] as const
  for (const projector of projectors) await projector.start()
  const states = () => projectors.map((one) => one.status().map(({ state }) => state))
  await until('one feeds both', () => String(states()) === 'live,live,following,following')
  await appendLoad(rig, 3)
  const head = await rig.log.head()
  for (const projector of projectors) expect(await projector.waitFor(head, undefined, 10_000)).toBe(true)
  await projectors[0].stop()
  await appendLoad(rig, 3, 'later')
  expect(await projectors[1].waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  expect(await rig.wrongRows([tallies, lines])).toEqual([])
})
