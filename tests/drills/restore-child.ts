import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { createBackup } from '../../server/tools/backup/create.ts'
import { restoreBackup } from '../../server/tools/backup/restore.ts'
import { createErasedLedger } from '../../services/erased-ledger.ts'
import { bundled } from '../support/programs/bundled.ts'
import type { Seam } from './seams/hook.ts'
import { hookedBy } from './seams/with-hook.ts'

/** What to do and where, as JSON in the child's environment. `masterKey` in hex. */
export type BackupChild = {
  readonly task: 'create' | 'restore'
  readonly folder: string
  readonly app: pg.ClientConfig
  readonly log: pg.ClientConfig
  readonly dataDir: string
  readonly masterKey: string
}

const ME = fileURLToPath(import.meta.url)
const BEGUN = 'begun'

/**
 * A backup or a restore as a process of its own, to be killed without warning or to die at a seam; resolves once it has
 * begun.
 */
export async function startBackupProcess(given: BackupChild, seam?: Seam): Promise<BackupProcess> {
  const child = spawn(process.execPath, [bundled(ME)], {
    env: { ...process.env, ...(seam && hookedBy({ seam })), BACKUP_CHILD: JSON.stringify(given) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  child.stderr?.on('data', (text) => output.push(String(text)))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  await Promise.race([
    begun(child),
    ended.then(() => Promise.reject(new Error(`It did not begin: ${output.join('')}`))),
  ])
  return {
    kill: () => void child.kill('SIGKILL'),
    /** 0 when it came to its end before it was killed. */
    ended,
    output: () => output.join(''),
  }
}
export type BackupProcess = { kill(): void; readonly ended: Promise<number | null>; output(): string }

async function begun(child: ChildProcess): Promise<void> {
  for await (const text of child.stdout!) if (String(text).includes(BEGUN)) return
}

async function work({ task, folder, masterKey, ...stores }: BackupChild): Promise<void> {
  const ledger = createErasedLedger(stores.dataDir)
  const deps = { ...stores, masterKey: Buffer.from(masterKey, 'hex'), ledger }
  process.stdout.write(`${BEGUN}\n`)
  if (task === 'create') await createBackup({ ...deps, now: () => new Date() }, folder)
  else await restoreBackup({ ...deps, now: () => new Date(), force: true }, folder)
}

if (process.argv[1] === ME) await work(JSON.parse(process.env.BACKUP_CHILD ?? '') as BackupChild)
