import { fileURLToPath, pathToFileURL } from 'node:url'
import { supervise } from '../../server/embedded/lifecycle/supervise.ts'
import { bundled } from '../support/programs/bundled.ts'

/** A parent as a program of its own: prints which process its child is. */
const child = await supervise<object, { pid: number }>({
  name: 'test',
  file: pathToFileURL(bundled(fileURLToPath(new URL('./child-role.ts', import.meta.url)))),
  settings: { port: 1 },
  log: () => undefined,
})
process.stdout.write(`${child.report.pid}\n`)
setInterval(() => undefined, 60_000)
