import { expect, onTestFinished, test } from 'vitest'
import { startLogServer } from '../../../../eventstore/embedded/server.ts'
import { uuidFrom } from '../../../../eventstore/ids.ts'
import { openLog } from '../../../../eventstore/log.ts'
import { projectorState } from '../../../../server/projector-state.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'
import { logTemplate } from '../../../support/log.ts'
import { noNews } from '../../../support/recorded.ts'
import { lines } from '../../../support/toy-projections.ts'
import { until } from '../../../support/until.ts'
import { startEngineRig } from '../../engine-rig.ts'

test('how far a read model is behind is not known while the log is away, and is known again with it', async () => {
  const rig = await startEngineRig()
  const database = await freshDatabase({ template: logTemplate })
  const quiet = { database: database.config, logLine: () => undefined }
  let server = await startLogServer(quiet)
  let broken = 0
  const log = openLog({ connectionString: server.connectionString, onBroken: () => void broken++ })
  onTestFinished(async () => {
    await rig.stopProjectors()
    await log.close()
    await server.stop()
    await Promise.all([database.drop(), rig.stop()])
  })
  const append = async (number: number) =>
    (await log.append('counter', number === 0 ? 'no_stream' : number - 1, [noNews(uuidFrom('counter', number))]))
      .position
  const projector = rig.project([lines], { log })
  await projector.start()
  expect(await projector.waitFor(await append(0), undefined, 10_000)).toBe(true)
  const state = () => ({ lag: projector.status()[0]!.lag, ready: projectorState(projector.status()).ready })
  const known = { lag: { events: 0, seconds: 0 }, ready: true }
  await until('it is known', () => state().ready)
  expect(state()).toEqual(known)

  await server.stop()
  await until('the subscription breaks', () => broken > 0)
  expect(state()).toEqual({ lag: { events: null, seconds: null }, ready: false })

  server = await startLogServer({ ...quiet, port: server.port })
  await until('it is known again', () => state().ready)
  expect(state()).toEqual(known)
  expect(await projector.waitFor(await append(1), undefined, 10_000)).toBe(true)
})
