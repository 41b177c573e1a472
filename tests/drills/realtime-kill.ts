import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { createDispatch, type Dispatch } from '../../eventstore/dispatch.ts'
import { startLogServer } from '../../eventstore/embedded/server.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openLog } from '../../eventstore/log.ts'
import { quiet } from '../../services/quiet-pool.ts'
import { testDatabase } from '../support/postgres.ts'
import { until } from '../support/until.ts'
import { startNodeProcess } from './realtime-child.ts'
import { match, Page, type Pair, writeUntil } from './realtime-load.ts'

const PAIRS = 4
const LIVE_WITHIN_MS = 30_000
const KEY_TABLES = `create schema app;
  create table app.subject_key (subject text primary key, wrapped bytea not null, created_at timestamptz default now());
  create table app.destroyed_key (subject text primary key, destroyed_at timestamptz not null)`

/** `resume: false` takes the position out of the clients' first frame: the drill must find what is lost then. */
export type RealtimeKillOptions = { kills: number; resume?: boolean }
/** `expected` counts deliveries: each stored message to both members. Times in milliseconds, the longest seen. */
export type RealtimeKillResult = {
  kills: number
  expected: number
  missed: number
  doubled: number
  outOfOrder: number
  resyncs: number
  backMs: number
}

/** Kills two realtime nodes in turn while members on both write to each other, and compares what their pages showed. */
export async function realtimeKillDrill({ kills, resume = true }: RealtimeKillOptions): Promise<RealtimeKillResult> {
  const [logs, app] = await Promise.all([testDatabase(), testDatabase()])
  try {
    return await withLog(logs.config, app.config, kills, resume)
  } finally {
    await Promise.all([logs.drop(), app.drop()])
  }
}

async function withLog(logDb: pg.ClientConfig, database: pg.ClientConfig, kills: number, resume: boolean) {
  const pool = quiet(new pg.Pool(database))
  // A connection of an ended pool may still be closing when Postgres stops.
  pool.on('connect', (client) => client.on('error', () => undefined))
  await pool.query(KEY_TABLES)
  const server = await startLogServer({ database: logDb })
  const log = openLog({ connectionString: server.connectionString })
  const masterKey = randomBytes(32)
  const keys = createKeyRing(pool, masterKey)
  const { dispatch } = createDispatch({ log, codec: createCodec(keys), keys })
  const start = (port: number) =>
    startNodeProcess({
      log: server.connectionString,
      database,
      port,
      masterKey: masterKey.toString('hex'),
      origin: 'http://localhost:1',
    })
  try {
    return await killUnderLoad(start, dispatch, kills, resume)
  } finally {
    await log.close()
    await server.stop()
    await pool.end()
  }
}

type Start = (port: number) => ReturnType<typeof startNodeProcess>

async function killUnderLoad(start: Start, dispatch: Dispatch, kills: number, resume: boolean) {
  const pairs = Array.from({ length: PAIRS }, (_, n): Pair => [idOf(`a${n}`), idOf(`b${n}`)])
  await Promise.all(pairs.map((pair) => match(dispatch, pair)))
  const nodes = await Promise.all([start(0), start(0)])
  // The two of a pair sit at different nodes.
  const pages = pairs.flatMap((pair) => pair.map((member, side) => new Page(member, nodes[side]!.port, resume)))
  let [stopped, backMs] = [false, 0]
  try {
    await until('all pages are live', () => pages.every((page) => page.live), LIVE_WITHIN_MS)
    const writing = Promise.all(pairs.map((pair) => writeUntil(() => stopped, dispatch, pair)))
    for (let kill = 0; kill < kills; kill++) {
      await Promise.race([pause(200 + Math.random() * 400), writing])
      const victim = nodes[kill % 2]!
      const killedAt = Date.now()
      await victim.kill()
      nodes[kill % 2] = await start(victim.port)
      await until('all pages are live again', () => pages.every((page) => page.live), LIVE_WITHIN_MS)
      backMs = Math.max(backMs, Date.now() - killedAt)
    }
    await pause(200)
    stopped = true
    const stored = await writing
    await settle(pages)
    return { kills, ...compare(pages, stored), resyncs: pages.reduce((sum, page) => sum + page.resyncs, 0), backMs }
  } finally {
    stopped = true
    for (const page of pages) page.connection.stop()
    await Promise.all(nodes.map((node) => node.kill()))
  }
}

/** Nothing more comes once no page has shown anything new for a while. */
async function settle(pages: readonly Page[]): Promise<void> {
  const count = () => pages.reduce((sum, page) => sum + page.shown.length, 0)
  for (let before = -1; before !== count(); ) {
    before = count()
    await pause(500)
  }
}

function compare(pages: readonly Page[], stored: readonly string[][]) {
  const total = { expected: 0, missed: 0, doubled: 0, outOfOrder: 0 }
  pages.forEach((page, index) => {
    const wanted = stored[Math.floor(index / 2)]!
    const ids = new Set(page.shown.map(({ id }) => id))
    total.expected += wanted.length
    total.missed += wanted.filter((id) => !ids.has(id)).length
    total.doubled += page.shown.length - ids.size
    total.outOfOrder += page.shown.filter(
      ({ pos, number }, at) => at > 0 && (pos <= page.shown[at - 1]!.pos || number <= page.shown[at - 1]!.number),
    ).length
  })
  return total
}

const idOf = (name: string) => idFrom('drill member', name) as MemberId
