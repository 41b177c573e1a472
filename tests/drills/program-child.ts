import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ALLOCATOR, heapArgs } from '../../server/embedded/lifecycle/memory.ts'
import { ROOT } from '../../server/root.ts'
import { currentProgram, fileOf } from '../../server/tools/build/built.js'
import { holdToDocument, letGo } from '../support/described/hold.ts'
import { bundled } from '../support/programs/bundled.ts'
import { until } from '../support/until.ts'

const READY = /^LetsBuzz is ready at |^Ready: /
const READY_WITHIN_MS = 240_000
const QUIET = { NODE_ENV: 'production', LOG_LEVEL: 'error', RATE_LIMITS: 'off' } as const

/** `npm start`, mostly with `--no-demo`, as a process of its own. `readyMs` runs from its start to its first ready page. */
export type Program = {
  url: string
  readyMs: number
  pid: number
  /** `parent`: its children find themselves alone. `all`: Postgres and the log die with it. Without a word to any. */
  kill(whom: 'parent' | 'all'): Promise<void>
  stop(): Promise<void>
  /** The exit code and all that it printed, once it has ended for whatever reason; null by a signal. */
  readonly ended: Promise<{ code: number | null; output: string }>
}

/** `root`: the folder of the program, where it is not this one. `uid`: whose process it is, where it is not our own. */
export type ProgramSetup = {
  dataDir: string
  port: number
  root?: string
  env?: Readonly<Record<string, string>>
  uid?: number | undefined
  /** Below what starts it again when it dies, as `npm start` has it. */
  kept?: boolean
  /** With its demo world. */
  demo?: boolean
}

const KEEPER = fileURLToPath(new URL('./kept/program-keeper.ts', import.meta.url))

/** What runs the program: its name, or what keeps its built file running. */
function wordsOf({ root = ROOT, kept = false }: ProgramSetup): string[] {
  if (!kept) return [join(root, 'server/run.js'), 'main']
  const program = currentProgram(root)
  if (!program) throw new Error('The program is not built.')
  return [bundled(KEEPER), fileOf(root, program, 'main')]
}

/** Starts the product and waits until it reports that it is ready and `/readyz` agrees. */
export async function startProgram(setup: ProgramSetup): Promise<Program> {
  const { dataDir, port, env = {}, uid, demo = false } = setup
  const startedAt = performance.now()
  const user = uid === undefined ? {} : { uid, gid: uid }
  const child = spawn(
    process.execPath,
    [...heapArgs(env.NODE_OPTIONS), ...wordsOf(setup), ...(demo ? [] : ['--no-demo'])],
    {
      env: { ...ALLOCATOR, ...process.env, ...QUIET, ...env, DATA_DIR: dataDir, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    },
  )
  const gone = once(child, 'exit')
  const output: string[] = []
  child.stderr.on('data', (text) => output.push(String(text)))
  const announced = readyLine(child.stdout)
  child.stdout.on('data', (text) => output.push(String(text)))
  // `exit` comes before its last words are read; `close` comes after them.
  const closed = once(child, 'close')
  const dead = closed.then(([code, signal]) => {
    throw new Error(`The program ended with ${signal ?? code}: ${output.join('')}`)
  })
  dead.catch(() => undefined)
  const late = AbortSignal.timeout(READY_WITHIN_MS)
  const tooLate = once(late, 'abort').then(() => Promise.reject(new Error(`Not ready in time: ${output.join('')}`)))
  tooLate.catch(() => undefined)
  const ready = async () => {
    await Promise.race([announced, dead, tooLate])
    // A site is announced by its public address.
    const url = `http://localhost:${port}`
    await until('every role is ready', () => isReady(url), READY_WITHIN_MS)
    return url
  }
  const url = await ready().catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  // Without pages there are no calls either.
  if (!env.ROLES || env.ROLES.includes('web')) holdToDocument(url)
  closed.then(() => letGo(url))
  return {
    url,
    readyMs: performance.now() - startedAt,
    pid: child.pid as number,
    async kill(whom) {
      const victims = whom === 'all' ? descendantsOf(child.pid as number) : []
      child.kill('SIGKILL')
      for (const pid of victims) killQuietly(pid)
      await gone
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
    ended: closed.then(([code]) => ({ code: code as number | null, output: output.join('') })),
  }
}

async function readyLine(output: NodeJS.ReadableStream): Promise<void> {
  const lines = createInterface({ input: output })
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      if (READY.test(line)) resolve()
    })
  })
}

export const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  )

/** Children and theirs, from Linux' process table; none elsewhere. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const entry of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const parent = /^\d+$/.test(entry) ? parentOf(entry) : null
    if (parent !== null) parents.set(parent, [...(parents.get(parent) ?? []), Number(entry)])
  }
  const below = (one: number): number[] => (parents.get(one) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

/** Some die by the death of another. */
function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {}
}

/** A port that nothing listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}
