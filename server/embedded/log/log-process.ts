import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { runChild } from '../lifecycle/child.ts'
import type { LogProcessSettings } from './supervise-log.ts'

runChild(async (settings: LogProcessSettings) => {
  const server = await startLogServer({ ...settings, accepted: true })
  const { port, connectionString, connect } = server
  return { report: { port, connectionString }, connect, healthy: () => server.ready(), stop: () => server.stop() }
})
