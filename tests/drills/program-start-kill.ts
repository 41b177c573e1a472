import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { makeTempDir } from '../support/temp-folder.ts'
import { descendantsOf, freePort, startProgram } from './program-child.ts'

/** A first start takes about so long: database, tables, read models, port. */
const LATEST_MS = 8_000
/** Starts that are killed one after the other on the same folder before one has to get ready. */
const IN_A_ROW = 3

export type StartKillOptions = { kills: number; latestMs?: number; print?: (text: string) => void }
/** `failed`: the output of starts after kills that did not get ready. `readyMs`: the longest that one took. */
export type StartKillResult = { kills: number; folders: number; failed: string[]; readyMs: number }

/**
 * Kills starts of the program at random moments, the parent alone or all of it, on folders that begin empty, the first
 * kill early enough to meet the making of the database; after a few the next start must get ready, and the one after
 * it.
 */
export async function startKillDrill({
  kills,
  latestMs = LATEST_MS,
  print,
}: StartKillOptions): Promise<StartKillResult> {
  const failed: string[] = []
  let [readyMs, folders] = [0, 0]
  for (let killed = 0; killed < kills; folders++) {
    const setup = { dataDir: makeTempDir('letsbuzz-start-'), port: await freePort() }
    for (let turn = 0; turn < IN_A_ROW && killed < kills; turn++, killed++) {
      const afterMs = Math.random() * latestMs * (turn === 0 ? 0.4 : 1)
      await killedStart(setup, afterMs, killed % 2 ? 'all' : 'parent')
      print?.(`kill ${killed + 1} of ${kills}, ${Math.round(afterMs)} ms after its start`)
    }
    try {
      readyMs = Math.max(readyMs, await readyTwice(setup))
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error))
    }
    rmSync(setup.dataDir, { recursive: true, force: true })
  }
  return { kills, folders, failed, readyMs: Math.round(readyMs) }
}

type Setup = { dataDir: string; port: number }

async function killedStart({ dataDir, port }: Setup, afterMs: number, whom: 'parent' | 'all'): Promise<void> {
  const child = spawn(process.execPath, ['server/run.js', 'main', '--no-demo'], {
    env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'error', DATA_DIR: dataDir, PORT: String(port) },
    stdio: 'ignore',
  })
  const gone = once(child, 'exit')
  await Promise.race([pause(afterMs), gone])
  const victims = whom === 'all' ? descendantsOf(child.pid as number) : []
  child.kill('SIGKILL')
  for (const pid of victims) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {}
  }
  await gone
}

/** The start after the kills, and one after a stop in good order. */
async function readyTwice(setup: Setup): Promise<number> {
  const first = await startProgram(setup)
  await first.stop()
  const second = await startProgram(setup)
  await second.stop()
  return Math.max(first.readyMs, second.readyMs)
}
