import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const markOf = (dataDir: string) => join(dataDir, 'restoring')

/** Says, on disk, that what the stores hold is neither the old nor the new. */
export function beginRestoring(dataDir: string): void {
  const file = openSync(markOf(dataDir), 'w', 0o600)
  fsyncSync(file)
  closeSync(file)
}

export function endRestoring(dataDir: string): void {
  rmSync(markOf(dataDir), { force: true })
}

/** Throws when a restore did not come to its end: nothing may be served from half of a backup. */
export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(markOf(dataDir)))
    throw new Error(
      'A restore was interrupted here. Run "npm run backup -- restore <folder>" again; nothing is served before.',
    )
}
