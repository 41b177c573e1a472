import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { NOTICED } from '../../../eventstore/postgres/noticed.ts'
import { withRebuildLock } from '../../../projections/engine/care/rebuild-lock.ts'
import { dropUnread } from '../../../projections/engine/care/tables-by-hand.ts'
import { listTargets, setState } from '../../../projections/engine/checkpoints.ts'
import { type RebuildDeps, rebuild, rebuildAll } from '../../../projections/engine/rebuild.ts'
import { removeAsIs } from '../../../projections/engine/targets.ts'
import { wayTo } from '../../support/servers/way-to.ts'
import { lines, tallies } from '../../support/toy-projections.ts'
import { until } from '../../support/until.ts'
import { type EngineRig, member, pairStream, sent, startEngineRig } from '../engine-rig.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
/** Events of the log that come in one answer. */
const PAGE = 500
let rig: EngineRig
let open = () => {}
beforeEach(async () => {
  rig = await startEngineRig()
  const projector = rig.project([lines])
  await projector.start()
  const last = await rig.append(pairStream(ann, bea), sent(ann, bea, 1))
  expect(await projector.waitFor(last, undefined, 10_000)).toBe(true)
})
afterEach(() => {
  open()
  return rig.stop()
})

const deps = (more: Partial<RebuildDeps> = {}): RebuildDeps => {
  const { log, codec, keys, pool } = rig
  return { log, codec, keys, pool, signal: new AbortController().signal, ...more }
}
const states = async () =>
  (await listTargets(rig.pool, 'lines')).map(({ generation, state }) => `${generation} ${state}`)
/** Who holds the lock of the rebuild. */
const HOLDERS = `select pid from pg_locks where locktype = 'advisory' and objsubid = 2
  and classid = hashtext('projection rebuild')::bit(32)::bigint::oid
  and database = (select oid from pg_database where datname = current_database())`
/** Of one read model. */
const HOLDER = `${HOLDERS} and objid = hashtext('lines')::bit(32)::bigint::oid`

/** A log of which pages, behind so many, come once it is opened. */
function gatedLog(before = 0) {
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let asked = 0
  const readAll: RebuildDeps['log']['readAll'] = async (...page) => {
    if (asked++ >= before) await opened
    return rig.log.readAll(...page)
  }
  return { log: { ...rig.log, readAll }, isAsked: () => asked > 0 }
}

test('a rebuild whose lock is lost ends and leaves its tables to the next one', async () => {
  const { log, isAsked } = gatedLog()
  const done = rebuild(deps({ log }), lines).catch((error: Error) => error.message)
  await until('it fills', isAsked)
  await rig.pool.query(`select pg_terminate_backend(pid) from (${HOLDERS}) h`)
  await until('the lock is free', async () => (await rig.pool.query(HOLDERS)).rowCount === 0)
  const next = withRebuildLock(rig.pool, 'lines', async () => {
    open()
    return done
  })
  expect(await next).toBe('The connection that keeps other rebuilds of lines out was lost.')
  expect(await states()).toEqual(['2 filling', '1 live'])
  expect(await rebuild(deps(), lines)).toMatchObject({ swapped: true, generation: 2 })
})

test('a rebuild whose lock is lost leaves a pass that it shares without writing, and the others end it', async () => {
  await rig.append(pairStream(ann, bea), ...Array.from({ length: PAGE }, (_, at) => sent(ann, bea, at + 2)))
  const { log } = gatedLog(1)
  const filling = new Set<string>()
  const onProgress = (name: string) => void filling.add(name)
  const done = rebuildAll(deps({ log }), [lines, tallies], { onProgress })
  await until('both have taken a page', () => filling.size === 2)
  await rig.pool.query(`select pg_terminate_backend(pid) from (${HOLDER}) h`)
  await until('the lock is free', async () => (await rig.pool.query(HOLDER)).rowCount === 0)
  const [lost, other] = await withRebuildLock(rig.pool, 'lines', async () => {
    open()
    return done
  })
  expect(lost).toMatchObject({ reason: { message: 'The connection that keeps other rebuilds of lines out was lost.' } })
  expect(other).toMatchObject({ value: { swapped: true } })
  expect(await listTargets(rig.pool, 'lines')).toMatchObject([{ state: 'filling', position: START }, { state: 'live' }])
})

test('tables that others swapped in meanwhile are removed by nobody who saw them before', async () => {
  await rebuild(deps(), lines, { swap: false })
  const [seen] = await listTargets(rig.pool, 'lines')
  await setState(rig.pool, (await listTargets(rig.pool, 'lines'))[1]!, 'retired')
  await setState(rig.pool, seen!, 'live')
  expect(await removeAsIs(rig.pool, seen!)).toBe(false)
  expect(await states()).toEqual(['2 live', '1 retired'])
  expect(await dropUnread(rig.pool, 'lines')).toEqual(['p_lines_v1'])
})

test('a server is told when the process that rebuilds counts as gone without a word', async () => {
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => queries.mockRestore())
  // A Unix socket, as here, shows none of the values.
  const asked = await withRebuildLock(rig.pool, 'lines', async () => queries.mock.calls.map(([text]) => String(text)))
  expect(asked.filter((text) => text.includes(NOTICED))).toHaveLength(1)
})

test('a new version that waits for the lock of a rebuild reports it, and when it goes on', async () => {
  const reported = () => rig.reports.map(({ text }) => text).filter((text) => text.includes('waits'))
  await rig.stopProjectors()
  const next = rig.project([{ ...lines, version: 2 }])
  await withRebuildLock(rig.pool, 'lines', async () => {
    await next.start()
    await until('it is reported', () => reported().length > 0)
  })
  await until('the new version is live', () => next.status()[0]?.state === 'live')
  expect(reported()).toEqual([
    'a read model waits for another process that makes its tables',
    'a read model waits no longer for another process',
  ])
})

test('a rebuild is over with its work where the connection of its lock has fallen silent', async () => {
  const { silence, ...address } = await wayTo({ ...rig.config, allowHalfOpen: true })
  const pool = new pg.Pool({ ...rig.config, ...address })
  const work = async () => {
    silence()
    return 'done'
  }
  expect(await withRebuildLock(pool, 'tallies', work)).toBe('done')
})

test('the lock stays where connections that are idle are ended', async () => {
  const { pool, config } = rig
  await pool.query(`alter database "${config.database}" set idle_session_timeout = 50`)
  const holders = await withRebuildLock(pool, 'lines', async () => {
    const idle = new pg.Client(config)
    const ended = new Promise((resolve) => idle.once('end', resolve))
    idle.on('error', () => undefined)
    await idle.connect()
    await ended
    return (await pool.query(HOLDERS)).rowCount
  })
  expect(holders).toBe(1)
})
