import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from '../../eventstore/log.ts'
import { silentServer } from '../support/servers/silent-log.ts'
import { lines, tallies } from '../support/toy-projections.ts'
import { until } from '../support/until.ts'
import { appendLoad, type EngineRig, startEngineRig } from './engine-rig.ts'

/** Far below the time that one answer of the log may take. */
const SOON_MS = 1_000

let rig: EngineRig
beforeEach(async () => {
  rig = await startEngineRig()
})
afterEach(() => rig.stop())

async function stopsSoon(projector: { stop(): Promise<void> }): Promise<void> {
  const began = performance.now()
  await projector.stop()
  expect(performance.now() - began).toBeLessThan(SOON_MS)
}

test('a projector whose log never answers stops at once, and leaves no call open', async () => {
  const server = await silentServer()
  const log = openLog({ connectionString: server.connectionString })
  const projector = rig.project([tallies, lines], { log })
  const started = projector.start()
  await until('it asks the log', () => server.open.size >= 3)
  await stopsSoon(projector)
  await started
  await until('no call is open', () => server.open.size === 0)
  await log.close()
  server.stop()
})

test('a projector in the middle of its work stops after the batch under way, whose rows stand', async () => {
  await appendLoad(rig, 20)
  const projector = rig.project([tallies, lines])
  await projector.start()
  const more = appendLoad(rig, 20, 'more')
  await until('it follows', () => projector.positions().size === 2)
  await stopsSoon(projector)
  await more
  const next = rig.project([tallies, lines])
  await next.start()
  expect(await next.waitFor(await rig.log.head(), undefined, 20_000)).toBe(true)
  expect(await rig.wrongRows([tallies, lines])).toEqual([])
})
