import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../../support/until.ts'
import { descendantsOf, type Program, type ProgramSetup, startProgram } from '../program-child.ts'
import type { Seam } from './hook.ts'
import { hookedBy } from './with-hook.ts'

const PASSED_WITHIN_MS = 120_000
const LOG_PROCESS = 'log-process'

/** The whole product, each of whose processes can be ordered to die at a seam. */
export class HookedProgram {
  private readonly file: string

  private constructor(
    private readonly setup: ProgramSetup,
    private program: Program,
  ) {
    this.file = join(setup.dataDir, 'seam.json')
  }

  static async start(setup: ProgramSetup): Promise<HookedProgram> {
    const hooked = { ...setup, env: { ...setup.env, ...hookedBy({ file: join(setup.dataDir, 'seam.json') }) } }
    return new HookedProgram(hooked, await startProgram(hooked))
  }

  get url(): string {
    return this.program.url
  }

  /** The main process dies at the seam while `work` is on its way; then the program is started again. */
  async dieAt(at: string, work: () => Promise<unknown>): Promise<void> {
    await this.arm(this.program.pid, { at, nth: 1 })
    await work().catch(() => undefined)
    await until(`it dies at ${at}`, () => !existsSync(`/proc/${this.program.pid}`), PASSED_WITHIN_MS)
    this.program = await startProgram(this.setup)
  }

  /** The log's process dies at the seam while `work` is on its way; the program starts it again by itself. */
  async logDiesAt(at: string, work: () => Promise<unknown>): Promise<void> {
    const pid = await until('the log runs', () => this.logPid(), PASSED_WITHIN_MS)
    await this.arm(pid, { at, nth: 1 })
    await work()
    await until(`the log dies at ${at}`, () => !existsSync(`/proc/${pid}`), PASSED_WITHIN_MS)
  }

  private logPid(): number | undefined {
    const line = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return descendantsOf(this.program.pid).find((pid) => line(pid).includes(LOG_PROCESS))
  }

  private async arm(pid: number, seam: Seam): Promise<void> {
    writeFileSync(this.file, JSON.stringify(seam))
    process.kill(pid, 'SIGUSR2')
    await until('the seam is armed', () => !existsSync(this.file), PASSED_WITHIN_MS)
  }

  async stop(): Promise<void> {
    await this.program.stop()
  }
}

/** `npm run admin` beside the program, which keeps running. True when it ended well, false when it died at its seam. */
export async function adminDies(dataDir: string, words: readonly string[], seam?: Seam): Promise<boolean> {
  const child = spawn(process.execPath, ['server/run.js', 'admin', ...words], {
    env: { ...process.env, ...(seam && hookedBy({ seam })), DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (text) => {
    output += String(text)
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code === 0 || (seam && signal === 'SIGKILL')) return code === 0
  throw new Error(`admin ${words.join(' ')} ended with ${signal ?? code}: ${output}`)
}
