import { pathToFileURL } from 'node:url'
import { forkWorker } from '../../../server/workers/fork-worker.ts'

/** Runs two of the program it is given as workers. */
const [, , program = ''] = process.argv
for (let n = 0; n < 2; n++) forkWorker(pathToFileURL(program))
