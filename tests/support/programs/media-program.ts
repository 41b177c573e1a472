import { pathToFileURL } from 'node:url'
import { ROOT } from '../../../server/root.ts'
import { currentProgram, fileOf } from '../../../server/tools/build/built.js'

/** What a worker process for media runs in production, which the run has built: it starts in half the time of its sources. */
export function mediaProgram(): URL {
  const program = currentProgram(ROOT)
  if (!program) throw new Error('The program is not built.')
  return pathToFileURL(fileOf(ROOT, program, 'media-process'))
}
