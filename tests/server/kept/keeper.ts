import { pathToFileURL } from 'node:url'
import { keepRunning } from '../../../server/embedded/lifecycle/keep-running.ts'

const [, , file = '', ...args] = process.argv
process.exitCode = await keepRunning({
  file: pathToFileURL(file),
  args,
  echoMs: 0,
  print: (text) => void process.stdout.write(`${text}\n`),
})
