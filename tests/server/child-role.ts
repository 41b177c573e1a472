import { runChild } from '../../server/embedded/lifecycle/child.ts'

/** A role for the tests of supervision: it reports its settings back. */
runChild(async (settings: { port: number; fails?: boolean; hangs?: boolean; sick?: boolean }) => {
  if (settings.fails) throw new Error('The port is taken.')
  return {
    report: { port: settings.port || 4321, pid: process.pid },
    healthy: () => !settings.sick,
    stop: () => (settings.hangs ? new Promise<void>(() => undefined) : Promise.resolve()),
  }
})
