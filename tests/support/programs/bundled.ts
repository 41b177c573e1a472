import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'node_modules/.cache/test-programs')
const BUNDLE = join(import.meta.dirname, 'bundle.js')

const made = new Map<string, string>()

/**
 * A program of the tests' own, ready for `node`: bundled when this process first wants it. Reading each of its files anew
 * at every start is most of what a start would cost.
 */
export function bundled(source: string): string {
  const known = made.get(source)
  if (known) return known
  const name = relative(ROOT, source).replaceAll('/', '.').replace(/\.ts$/, '.js')
  const target = join(FOLDER, name)
  mkdirSync(FOLDER, { recursive: true })
  execFileSync(process.execPath, [BUNDLE, source, target], { cwd: ROOT, env: { ...process.env, NODE_OPTIONS: '' } })
  made.set(source, target)
  return target
}
