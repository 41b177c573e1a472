import { SEAM, SEAM_FILE, type Seam } from './hook.ts'

const LOADERS = ['tsx', new URL('./hook.ts', import.meta.url).href]

/** What a process and its children need in their environment to die at a seam. */
export function hookedBy(given: { seam: Seam } | { file: string }): Record<string, string> {
  const armed = 'seam' in given ? { [SEAM]: JSON.stringify(given.seam) } : { [SEAM_FILE]: given.file }
  return { NODE_OPTIONS: LOADERS.map((loader) => `--import ${loader}`).join(' '), ...armed }
}
