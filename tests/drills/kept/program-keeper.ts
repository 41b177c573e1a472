import { pathToFileURL } from 'node:url'
import { runRestarted } from '../../../server/embedded/lifecycle/restart-program.ts'

/** What `npm start` is, for a program that is killed more often than one is started again: each death counts for itself. */
const [, , file = '', ...args] = process.argv
process.exitCode = await runRestarted({
  file: pathToFileURL(file),
  args,
  echoMs: 0,
  withinMs: 1,
  print: (text) => void process.stderr.write(`${text}\n`),
})
