import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeTempDir } from '../../support/temp-folder.ts'
import type { Guard } from './guard.ts'
import { GUARDS } from './guards.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Neither sources nor settings, or too large to copy. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'build', 'data', 'test-results', 'playwright-report'])
const TRIES = 3

/** `unnoticed`: guards that can go and no test notices. `table`: how each test ended with its guard and without. */
export type RemovedGuards = { guards: number; unnoticed: string[]; broken: string[]; table: string[] }

/** Takes each guard out of a copy of the sources, one at a time, and runs the test that must turn red. */
export async function removedGuards(names: readonly string[] = GUARDS.map(({ name }) => name)): Promise<RemovedGuards> {
  const copy = makeTempDir('letsbuzz-guards-')
  const result: RemovedGuards = { guards: names.length, unnoticed: [], broken: [], table: [] }
  try {
    copySources(copy)
    for (const guard of GUARDS.filter(({ name }) => names.includes(name))) {
      const green = await passes(copy, guard)
      const red = await withoutGuard(copy, guard, () => failsSoon(copy, guard))
      if (!green) result.broken.push(guard.name)
      if (!red) result.unnoticed.push(guard.name)
      result.table.push(`${guard.name}: ${green ? 'green' : 'RED'} with it, ${red ? 'red' : 'GREEN'} without`)
    }
    return result
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function copySources(copy: string): void {
  for (const name of readdirSync(ROOT)) {
    if (!LEFT_OUT.has(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
}

/** The source without its guard. Throws when the guard is not where it is expected. */
export function weakened(source: string, guard: Guard): string {
  if (source.split(guard.with).length !== 2) throw new Error(`${guard.file} does not hold once: ${guard.with}`)
  return source.replace(guard.with, () => guard.without)
}

async function withoutGuard<T>(copy: string, guard: Guard, work: () => Promise<T>): Promise<T> {
  const path = join(copy, guard.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, weakened(source, guard))
  try {
    return await work()
  } finally {
    writeFileSync(path, source)
  }
}

/** A race may end well by chance. */
async function failsSoon(copy: string, guard: Guard): Promise<boolean> {
  for (let left = TRIES; left > 0; left--) if (!(await passes(copy, guard))) return true
  return false
}

async function passes(copy: string, { test: { project, file, title } }: Guard): Promise<boolean> {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--project', project, file, '-t', title], {
    cwd: copy,
    env: outsideOfTests(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += String(text)
    })
  const [code] = (await once(child, 'close')) as [number | null]
  // A file that cannot be loaded, or a title that is not there, shows nothing of the guard.
  if (!/Tests .*\b1 (passed|failed)/.test(plain(output))) throw new Error(`"${title}" did not run:\n${output}`)
  return code === 0
}

/** The environment without what a test run around this one has put there. */
function outsideOfTests(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  for (const name of Object.keys(env)) if (name.startsWith('VITEST') || name === 'TEST_TOGETHER') delete env[name]
  return env
}

const plain = (text: string) => text.replace(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '')
