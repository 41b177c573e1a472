import { pathToFileURL } from 'node:url'
import { keepRunning } from '../../../server/embedded/lifecycle/keep-running.ts'

const [, , file = '', patience = '60000', firstPause = '1', ...args] = process.argv
process.exitCode = await keepRunning({
  file: pathToFileURL(file),
  args,
  echoMs: 0,
  firstPauseMs: Number(firstPause),
  patienceMs: Number(patience),
  print: (text) => void process.stdout.write(`${text}\n`),
})
