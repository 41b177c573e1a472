import { pathToFileURL } from 'node:url'
import { runRestarted } from '../../../server/embedded/lifecycle/restart-program.ts'

const [, , file = '', patience = '60000', firstPause = '1', ...args] = process.argv
process.exitCode = await runRestarted({
  file: pathToFileURL(file),
  args,
  echoMs: 0,
  firstPauseMs: Number(firstPause),
  patienceMs: Number(patience),
  print: (text) => void process.stdout.write(`${text}\n`),
})
