import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { killChild } from '../lifecycle/kill-child.ts'
import { commandLineOf, isAlive } from '../lifecycle/process-identity.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { settings, spawnOptions } from './cluster.ts'

const POLL_MS = 5
const START_MS = 120_000
const FAST_STOP_MS = 2_000
const IMMEDIATE_STOP_MS = 2_000
const SESSIONS_MS = 20_000
const RETRY_MS = 200
const KEPT_LINES = 40

export type Postmaster = { pid: number; exited: Promise<void>; stop(): Promise<void> }

type Start = {
  dataDir: string
  socketDir: string
  binaries: Binaries
  account: Account
  fast: boolean
  connections: number
}

/**
 * Starts the server and waits until it takes connections, through a recovery too. Sessions of a killed server may still
 * finish a statement; the start waits for them. A server that a killed start had just begun is stopped.
 */
export async function startPostmaster(start: Start, onLine: (line: string) => void): Promise<Postmaster> {
  for (const deadline = Date.now() + SESSIONS_MS; ; await pause(RETRY_MS)) {
    try {
      return await startOnce(start, onLine)
    } catch (error) {
      const [late, text] = [Date.now() > deadline, String(error)]
      if (!late && text.includes('lock file "postmaster.pid" already exists')) await stopLeftOver(start.dataDir)
      else if (late || !text.includes('pre-existing shared memory block')) throw error
    }
  }
}

async function startOnce(start: Start, onLine: (line: string) => void): Promise<Postmaster> {
  const { binaries, account, dataDir } = start
  // Its own process group: Ctrl-C in a terminal reaches the parent alone, which stops its parts in order.
  const child = spawn(binaries.postgres, ['-D', dataDir, ...settings(start)], {
    ...spawnOptions(account),
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const lines = keepLines(child, onLine)
  await untilReady(child, dataDir, lines)
  const pid = child.pid as number
  const guard = guardAgainstOrphan(pid, start)
  void exited.then(() => killChild(guard))
  child.unref()
  return { pid, exited, stop: () => stopProcess(pid, () => child.exitCode !== null || child.signalCode !== null) }
}

function keepLines(child: ChildProcess, onLine: (line: string) => void): string[] {
  const kept: string[] = []
  let rest = ''
  child.once('error', (error) => kept.push(error.message))
  child.stderr?.on('data', (text: Buffer) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      kept.push(line)
      if (kept.length > KEPT_LINES) kept.shift()
      onLine(line)
    }
  })
  return kept
}

async function untilReady(child: ChildProcess, dataDir: string, lines: string[]): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    const file = readPidFile(dataDir)
    if (file?.pid === child.pid && file?.ready) return
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`Postgres did not start. Its last lines:\n${lines.join('\n')}`)
    }
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      throw new Error(`Postgres was not ready after ${START_MS / 1000} s. Its last lines:\n${lines.join('\n')}`)
    }
    await pause(POLL_MS)
  }
}

// The server removes its socket when it ends; its folder can go after that.
const GUARD =
  'read -r _; kill -INT "$1"; for _ in 1 2 3 4 5 6 7 8 9; do rmdir "$2" 2>/dev/null && exit; sleep 0.3; done'

/** A shell that waits on a pipe from this process: when this process dies in any way, the server gets a fast stop. */
function guardAgainstOrphan(pid: number, { account, socketDir }: Start): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'postgres-guard', String(pid), socketDir], {
    ...spawnOptions(account),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined)
  guard.stdin?.on('error', () => undefined)
  guard.unref()
  return guard
}

type PidFile = { pid: number; socketDir: string; ready: boolean }

/** The lines of postmaster.pid: pid, data folder, start, port, socket folder, address, memory key, status. */
function readPidFile(dataDir: string): PidFile | null {
  try {
    const lines = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDir: lines[4]?.trim() ?? '', ready: lines[7]?.trim() === 'ready' }
  } catch {
    return null
  }
}

/** Ends a server that outlived its parent, and clears what it left behind. */
export async function stopLeftOver(dataDir: string): Promise<'none' | 'stopped'> {
  const file = readPidFile(dataDir)
  if (!file) return 'none'
  const running = isAlive(file.pid) && commandLineOf(file.pid)?.includes(dataDir) === true
  if (running) await stopProcess(file.pid, () => !isAlive(file.pid))
  forgetDeadServer(dataDir)
  if (basename(file.socketDir).startsWith('letsbuzz-pg-')) rmSync(file.socketDir, { recursive: true, force: true })
  return running ? 'stopped' : 'none'
}

// No system gives out a number as high as this.
const NOBODYS_PID = 2_147_483_646

/**
 * Postgres takes a dead server that nobody has collected, or a stranger with its number, for a running one. The other lines
 * stay: by the shared memory they name, Postgres still finds sessions that outlived their server.
 */
function forgetDeadServer(dataDir: string): void {
  const path = join(dataDir, 'postmaster.pid')
  if (!existsSync(path)) return
  const [, ...rest] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [NOBODYS_PID, ...rest].join('\n'))
}

/** Fast stop, then immediate stop, then the end; the log of Postgres makes each of them safe. */
async function stopProcess(pid: number, gone: () => boolean): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ]
  for (const [signal, waitMs] of steps) {
    if (gone()) return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw new Error(`Process ${pid}, a Postgres server on this data folder, belongs to another user. Stop it first.`)
    }
    for (const deadline = Date.now() + waitMs; Date.now() < deadline && !gone(); ) await pause(POLL_MS)
  }
  if (!gone()) throw new Error(`Postgres (process ${pid}) could not be stopped.`)
}
