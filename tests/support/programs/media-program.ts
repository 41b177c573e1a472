import { pathToFileURL } from 'node:url'
import { ROOT } from '../../../server/root.ts'
import { currentProgram, fileOf } from '../../../server/tools/build/built.js'

/** Names the file for the processes of a run, whose sources may change while it goes on. */
export const MEDIA_PROGRAM = 'TEST_MEDIA_PROGRAM'

/** Of the build that there is. */
export function builtMediaProgram(): string {
  const program = currentProgram(ROOT)
  if (!program) throw new Error('The program is not built.')
  return fileOf(ROOT, program, 'media-process')
}

/** What a worker process for media runs in production, which the run has built: it starts in half the time of its sources. */
export const mediaProgram = (): URL => pathToFileURL(process.env[MEDIA_PROGRAM] ?? builtMediaProgram())
