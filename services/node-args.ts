import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** What Node needs to run this file as a process of its own: a loader where the file is TypeScript. */
export function nodeArgs(file: URL): string[] {
  if (!file.pathname.endsWith('.ts')) return []
  return ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
}
