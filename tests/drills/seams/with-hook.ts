import { preloading } from '../preload.ts'
import { SEAM, SEAM_FILE, type Seam } from './hook.ts'

/** What a process and its children need in their environment to die at a seam. */
export function hookedBy(given: { seam: Seam } | { file: string }): Record<string, string> {
  const armed = 'seam' in given ? { [SEAM]: JSON.stringify(given.seam) } : { [SEAM_FILE]: given.file }
  return { ...preloading(new URL('./hook-start.js', import.meta.url).href), ...armed }
}
