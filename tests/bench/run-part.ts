import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { descendantsOf } from '../drills/program-child.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import type { Figure } from './figures.ts'

/** The figures of a part, how long it took, and why it ended early. */
export type Measured = { figures: Figure[]; seconds: number; failure: string | null }

const SCRIPT = resolve(import.meta.dirname, 'part.ts')
const LAST_LINES = 6

/** Measures one part in a process of its own: neither its failure nor its cap costs another part its figures. */
export async function runPart(name: string, short: boolean, capSeconds: number): Promise<Measured> {
  const folder = makeTempDir('letsbuzz-bench-part-')
  const startedAt = performance.now()
  const child = fork(SCRIPT, [name, short ? 'short' : 'full'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const figures: Figure[] = []
  const output: string[] = []
  child.on('message', (figure) => void figures.push(figure as Figure))
  child.stderr?.on('data', (text) => output.push(String(text)))
  let late = false
  const cap = setTimeout(() => {
    late = true
    endAll(child)
  }, capSeconds * 1_000)
  const broken = () => endAll(child)
  process.once('exit', broken)
  const [code] = await once(child, 'close')
  process.off('exit', broken)
  clearTimeout(cap)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  const seconds = (performance.now() - startedAt) / 1_000
  if (late) return { figures, seconds, failure: `cut off after ${capSeconds} s` }
  return { figures, seconds, failure: code === 0 ? null : whyOf(output.join('')) || `ended with ${code}` }
}

/** The error and where it was thrown. */
function whyOf(output: string): string {
  const lines = output.trim().split('\n')
  const error = Math.max(
    0,
    lines.findIndex((line) => /^\w*Error\b/.test(line)),
  )
  return lines.slice(error, error + LAST_LINES).join('\n')
}

/** What it started dies with it, so that the next part finds a quiet machine. */
function endAll({ pid }: ChildProcess): void {
  for (const one of pid === undefined ? [] : [pid, ...descendantsOf(pid)]) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // Gone by the death of another.
    }
  }
}
