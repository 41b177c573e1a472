import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../eventstore/log.ts'
import { GIVES_WAY, inTransaction } from '../../projections/engine/transaction.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, type EngineRig, startEngineRig } from './engine-rig.ts'

const TAKEN_OVER_MS = 20_000
let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

/** A way to the log that one process alone goes, and that can be cut. */
async function wayToLog(address: string) {
  const [, port = ''] = /:(\d+)(?=[?/]|$)/.exec(address) ?? []
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(Number(port), '127.0.0.1')
    for (const one of [near, far]) sockets.add(one.on('error', () => one.destroy()))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const one of sockets) one.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const own = (server.address() as { port: number }).port
  return { address: address.replace(`:${port}`, `:${own}`), cut }
}

test('a process that does not reach the log leaves the read models to one that does', async () => {
  const way = await wayToLog(rig.connectionString)
  const log = openLog({ connectionString: way.address })
  onTestFinished(() => log.close().catch(() => undefined))
  const sick = rig.project([tallies, lines], { log })
  await sick.start()
  await until('it feeds both', () => sick.status().every(({ state }) => state === 'live'))
  const sound = rig.project([tallies, lines])
  await sound.start()
  way.cut()
  await appendLoad(rig, 2)
  expect(await sound.waitFor(await rig.log.head(), undefined, TAKEN_OVER_MS)).toBe(true)
  expect(await rig.wrongRows([tallies, lines])).toEqual([])
})

/** A process as it is when it is stopped in the transaction of a batch; `goOn` lets it go on. */
function stoppedProcess(): { goOn: () => void; isOpen: Promise<void>; end: Promise<unknown> } {
  let [goOn, opened] = [() => {}, () => {}]
  const [going, isOpen] = [new Promise<void>((go) => (goOn = go)), new Promise<void>((now) => (opened = now))]
  const batch = inTransaction(
    rig.pool,
    async (db) => {
      await db.query(`update app.projection_checkpoint set updated_at = now() where name = 'tallies'`)
      opened()
      await going
    },
    GIVES_WAY,
  )
  return { goOn, isOpen, end: batch.catch((error: unknown) => error) }
}

test('a process that is stopped in its transaction leaves the read models to another, and reads why later', async () => {
  const first = rig.project([tallies, lines])
  await first.start()
  await appendLoad(rig, 1)
  expect(await first.waitFor(await rig.log.head(), undefined, 10_000)).toBe(true)
  await first.stop()
  const stopped = stoppedProcess()
  await stopped.isOpen
  const second = rig.project([tallies, lines])
  await second.start()
  await appendLoad(rig, 2, 'later')
  expect(await second.waitFor(await rig.log.head(), undefined, TAKEN_OVER_MS)).toBe(true)
  stopped.goOn()
  // Postgres' code of a transaction that idled for too long.
  expect(await stopped.end).toMatchObject({ code: '25P03' })
})
