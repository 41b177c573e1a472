import { pathToFileURL } from 'node:url'
import { bundled } from '../support/programs/bundled.ts'

/** What a process, its children and their workers need in their environment to load these sources before their own. */
export const preloading = (...files: readonly string[]): Record<string, string> => ({
  NODE_OPTIONS: files.map((file) => `--import ${pathToFileURL(bundled(file)).href}`).join(' '),
})
