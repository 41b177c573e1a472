import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Leases } from '../../projections/engine/leases.ts'
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
function join(names = MODELS, isBehind = () => false) {
  const stop = new AbortController()
  const [change, error] = [() => undefined, () => undefined]
  const leases = new Leases(rig.config, { change, error, isBehind })
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
  let behind = false
  const first = join(MODELS, () => behind)
  await until('it has all', () => first.has().length === 4)
  const second = join()
  await until('both are there', async () => (await rig.pool.query('select from app.projector')).rowCount === 2)
  expect([first.has().length, second.has().length]).toEqual([4, 0])
  const lost = first.leases.of('d')
  behind = true
  await until('each has half', () => first.has().length === 2 && second.has().length === 2)
  expect([...first.has(), ...second.has()].sort()).toEqual(MODELS)
  expect(lost?.aborted).toBe(true)
  await first.leave()
  await until('the second has all', () => second.has().length === 4)
})

test('what others do not want stays with the one that is behind', async () => {
  const first = join(MODELS, () => true)
  await until('it has all', () => first.has().length === 4)
  const second = join(['c', 'd'])
  await until('the other has what it wants', () => second.has().length === 2)
  expect(first.has()).toEqual(['a', 'b'])
  second.leases.giveBack('d')
  await until('it is back', () => first.has().length === 3)
})

/** As a process that has a lease and does no more rounds; its connection stays open until it is released. */
async function stuckWith(name: string) {
  const connection = await rig.pool.connect()
  const { rows } = await connection.query<{ process: string }>(
    `insert into app.projector (process, pid, started, wants, seen_at)
     select gen_random_uuid(), pid, backend_start, array[$1], now() from pg_stat_activity where pid = pg_backend_pid()
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
