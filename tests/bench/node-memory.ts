import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { MemberId } from '../../domain/shared/ids.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { openCore } from '../../server/core.ts'
import { Peer } from '../realtime/peer.ts'
import type { Extent, Report } from './extent.ts'
import { median, ms } from './figures.ts'
import { type MeasuredNode, startMeasuredNode } from './node-child.ts'
import { projectorOf } from './projector.ts'
import type { Store } from './store.ts'

const ORIGIN = 'http://localhost:1'
const CONNECTED = 1_000
/** Matches of each member, and of each who connects. */
const MATCHES = 4
const MATCHES_OF_CONNECTED = 50
const AT_ONCE = 50

/** What a realtime node keeps while few of many members are connected; beside the same node with nobody. */
export async function benchNodeMemory({ app, log }: Store, { members }: Extent, report: Report): Promise<void> {
  const masterKey = randomBytes(32)
  await makeReadModels({ database: app, log: log.connectionString, masterKey })
  await fill(app, members)
  const setup = { log: log.connectionString, database: app, masterKey: masterKey.toString('hex'), origin: ORIGIN }
  const node = await startMeasuredNode(setup)
  try {
    const before = await node.memory()
    const { peers, times } = await connect(node)
    const after = await node.memory()
    report({
      what: `realtime node, ${CONNECTED.toLocaleString('en')} of ${members.toLocaleString('en')} members connected`,
      value: `heap ${mb(after.heap)}, resident ${mb(after.resident)}; rights of ${after.members}, accounts of ${after.accounts}`,
      against: `nobody connected: heap ${mb(before.heap)}, resident ${mb(before.resident)}`,
      ratio: `${((after.heap - before.heap) / CONNECTED / 1_024).toFixed(1)} KB a member`,
    })
    report({ what: 'socket to ready, rights loaded', value: `p50 ${ms(median(times))}, ${AT_ONCE} at once` })
    for (const { ws } of peers) ws.terminate()
  } finally {
    node.stop()
  }
}

const mb = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`

type Stores = { database: pg.ClientConfig; log: string; masterKey: Buffer }

/** The tables of all read models, empty and live. */
async function makeReadModels({ database, log, masterKey }: Stores): Promise<void> {
  const core = await openCore({ database, log, secrets: { masterKey, emailPepper: 'bench', mediaSecret: 'bench' } })
  const projector = projectorOf(core)
  try {
    await projector.start()
    await projector.waitFor(await core.log.head(), undefined, 30_000)
  } finally {
    await projector.stop()
    await core.close()
  }
}

const ID = (n: string) => `lpad(to_hex(${n}), 24, '0')`
const MATCHED = (pairs: string) => `insert into read.relation (member, other, matched_at)
  select ${ID('a')}, ${ID('b')}, now() from (${pairs}) as pairs(a, b)
  union all select ${ID('b')}, ${ID('a')}, now() from (${pairs}) as pairs(a, b)`

/** Rows as the read models have them, of members whom no event is about. */
async function fill(database: pg.ClientConfig, members: number): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query(`insert into read.account (member, status, started, demo, registered_at)
      select ${ID('n')}, case when n % 20 = 0 and n > ${CONNECTED} then 'deactivated' else 'active' end, true, false, now()
      from generate_series(1, ${members}) n`)
    for (let step = 1; step <= MATCHES / 2; step++) {
      await client.query(MATCHED(`select n, (n - 1 + ${step}) % ${members} + 1 from generate_series(1, ${members}) n`))
    }
    // Those who connect have more, with members all over.
    const more = `select n, ${CONNECTED} + 10 + n * ${MATCHES_OF_CONNECTED} + k
      from generate_series(1, ${CONNECTED}) n, generate_series(1, ${MATCHES_OF_CONNECTED - MATCHES}) k`
    await client.query(MATCHED(more))
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

async function connect({ port }: MeasuredNode): Promise<{ peers: Peer[]; times: number[] }> {
  const [peers, times]: [Peer[], number[]] = [[], []]
  const lane = async (first: number) => {
    for (let n = first; n <= CONNECTED; n += AT_ONCE) {
      const member = n.toString(16).padStart(24, '0') as MemberId
      const startedAt = performance.now()
      const peer = new Peer(port, { origin: ORIGIN })
      await peer.opened
      peer.send({ type: 'auth', token: `${member}.${idFrom('session', member)}` })
      await peer.next('heartbeat')
      times.push(performance.now() - startedAt)
      peers.push(peer)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => lane(n + 1)))
  return { peers, times }
}
