import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { identityOf, isRunning, type ProcessIdentity } from './embedded/lifecycle/process-identity.ts'

/** The connections of a product's two databases. Plain JSON. */
export type ProductDatabases = { app: pg.ClientConfig; log: pg.ClientConfig }

/**
 * How a command-line tool reaches a running product. Parts that have not started yet, or are not embedded, are left
 * out.
 */
export type Running = ProcessIdentity & {
  webPort?: number
  realtimePort?: number
  /** Nothing but the log runs: no projector is there. */
  logAlone?: true
  /** `esdb://` address of the embedded log. */
  eventstoreUrl?: string
  databases?: ProductDatabases
}

/** Makes the data folder. Throws an error that explains what to do when this user cannot write there. */
export function openDataDir(dataDir: string): void {
  try {
    if (!existsSync(dataDir)) {
      mkdirSync(dataDir, { recursive: true })
      // Root's Postgres runs as another user, who must be able to walk through.
      chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    keepFilesPrivate(join(dataDir, 'media'))
    const probe = join(dataDir, `.probe.${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new Error(
      `DATA_DIR ${dataDir} cannot be written (${code}). Start as the user who owns it, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

/** Root's data folder can be walked through by others: what members sent is shut by itself. */
function keepFilesPrivate(media: string): void {
  if (process.getuid?.() === 0 && existsSync(media)) chmodSync(media, 0o700)
}

const runFile = (dataDir: string) => join(dataDir, 'run.json')

/** Records that this process is the running product, or log; each call replaces the record. */
export function announce(dataDir: string, parts: Omit<Running, keyof ProcessIdentity>): void {
  const draft = `${runFile(dataDir)}.${process.pid}`
  const running: Running = { ...identityOf(process.pid), ...parts }
  writeFileSync(draft, JSON.stringify(running, null, 2), { mode: 0o600 })
  renameSync(draft, runFile(dataDir))
}

/** Takes this process' announcement back; another's stays. */
export function withdraw(dataDir: string): void {
  if (read(dataDir)?.pid === process.pid) rmSync(runFile(dataDir), { force: true })
}

/** The product, or the log alone, that runs on this data folder, or null. One that was killed does not count. */
export function findRunning(dataDir: string): Running | null {
  const running = read(dataDir)
  return running && isRunning(running) ? running : null
}

function read(dataDir: string): Running | null {
  try {
    const { pid, startTime, ...parts } = JSON.parse(readFileSync(runFile(dataDir), 'utf8')) as Partial<Running>
    return typeof pid === 'number' && typeof startTime === 'string' ? { pid, startTime, ...parts } : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return null
    throw new Error(`${runFile(dataDir)} belongs to another user. Run this as the user who started the product.`)
  }
}
