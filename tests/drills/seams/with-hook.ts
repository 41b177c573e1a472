import { fileURLToPath } from 'node:url'
import { preloading } from '../preload.ts'
import { SEAM, SEAM_FILE, type Seam } from './hook.ts'

const HOOK = fileURLToPath(new URL('./hook.ts', import.meta.url))

/** What a process and its children need in their environment to die at a seam. */
export function hookedBy(given: { seam: Seam } | { file: string }): Record<string, string> {
  const armed = 'seam' in given ? { [SEAM]: JSON.stringify(given.seam) } : { [SEAM_FILE]: given.file }
  return { ...preloading(HOOK), ...armed }
}
