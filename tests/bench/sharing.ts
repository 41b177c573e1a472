import { randomBytes } from 'node:crypto'
import { allProjections } from '../../projections/all-projections.ts'
import type { Projector } from '../../projections/engine/engine.ts'
import { type Core, openCore } from '../../server/core.ts'
import { countedPool } from '../projections/counted-pool.ts'
import { until } from '../support/until.ts'
import type { Report } from './extent.ts'
import { median, ratio } from './figures.ts'
import { conversationOf, migrate } from './projecting.ts'
import { projectorOf } from './projector.ts'
import type { Store } from './store.ts'

const PROJECTORS = 4
const LONE_MESSAGES = 30
const CAUGHT_UP_MS = 60_000
/** What a projector asks for the work itself; its looks for leases and paused read models go on without any. */
const WORK = /^(begin|commit|update app\.projection set|select t\.|insert into "|delete from "|select count)/

type Counted = { readonly projector: Projector; readonly since: () => string[]; readonly stop: () => Promise<void> }

/** What Postgres is asked for by the projectors: for a message that comes alone, and when four processes share the work. */
export async function benchSharing({ log, app }: Store, report: Report): Promise<void> {
  await migrate(app)
  const secrets = { masterKey: randomBytes(32), emailPepper: 'bench', mediaSecret: 'bench' }
  const core = await openCore({ database: app, log: log.connectionString, secrets })
  try {
    const first = await started(core)
    const byOne = await askedByLone(core, [first], 'one')
    const commits = byOne.map((asked) => asked.filter((text) => text === 'commit').length)
    const ofOne = median(byOne.map(({ length }) => length))
    report({
      what: 'asked of Postgres to show one more message',
      value: `${ofOne} statements, commits ${median(commits)}`,
      against: `${allProjections.length} read models`,
    })
    const others = await Promise.all(Array.from({ length: PROJECTORS - 1 }, () => started(core)))
    const { pool } = core.storage
    const there = async () => (await pool.query('select from app.projector')).rowCount === PROJECTORS
    await until('every process has asked for its part', there)
    const byAll = await askedByLone(core, [first, ...others], 'all')
    const ofAll = median(byAll.map(({ length }) => length))
    report({
      what: `statements to show one more message, ${PROJECTORS} projectors`,
      value: String(ofAll),
      against: `one projector ${ofOne}`,
      ratio: ratio(ofAll, ofOne),
    })
    for (const { stop } of [first, ...others]) await stop()
  } finally {
    await core.close()
  }
}

async function started(core: Core): Promise<Counted> {
  const { pool, since } = countedPool(core.storage.pool.options)
  const projector = projectorOf(core, pool)
  await projector.start()
  const stop = async () => {
    await projector.stop()
    await pool.end()
  }
  return { projector, since: () => since().filter((text) => WORK.test(text.trim())), stop }
}

async function caughtUp({ log }: Core, { projector }: Counted): Promise<void> {
  if (!(await projector.waitFor(await log.head(), undefined, CAUGHT_UP_MS)))
    throw new Error('The read models did not catch up.')
}

async function askedByLone(core: Core, all: readonly Counted[], label: string): Promise<string[][]> {
  const asked: string[][] = []
  const { append } = conversationOf(core, label, 0)
  await append(2)
  for (let n = 0; n < LONE_MESSAGES; n++) {
    for (const counted of all) await caughtUp(core, counted)
    for (const { since } of all) since()
    await append(1)
    for (const counted of all) await caughtUp(core, counted)
    asked.push(all.flatMap(({ since }) => since()))
  }
  return asked
}
