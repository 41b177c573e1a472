import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the folder of the run, which takes what its tests leave behind with it. Worker processes inherit it. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER'

const MEMORY = '/dev/shm'
/** A run takes less than half of it. */
const MEMORY_BYTES = 2 * 1024 ** 3

/**
 * Where runs have their folders: memory where there is enough of it. No test looks at what a power cut leaves, and
 * copying databases is most of what a disk would do.
 */
export const runFolders = (): string => (hasRoomInMemory() ? MEMORY : tmpdir())

/** A container may have a few megabytes there, or none. */
export function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MEMORY_BYTES
  } catch {
    return false
  }
}

/** A folder that the caller removes. Every user can enter it, so that Postgres started by root can too. */
export function makeTempDir(prefix: string, parent = process.env[RUN_FOLDER] ?? tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix))
  chmodSync(folder, 0o755)
  return folder
}
