import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readSync } from 'node:fs'

const KIB = 1024
/** More than the table that Linux keeps of a process. */
const TABLE_BYTES = 4096

/**
 * Reads how many bytes of a child are resident; undefined where the system does not report it, and for one that has
 * ended. The file stays open and is read in place: through the thread pool, twenty times a second, that is a sixth of
 * what the main thread does beside an attack.
 */
export function residentOf(child: ChildProcess): () => number | undefined {
  const table = Buffer.allocUnsafeSlow(TABLE_BYTES)
  let file = openTable(child.pid)
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
  }
  if (hasEnded(child)) close()
  child.once('exit', close)
  return () => {
    if (file === undefined) return undefined
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readTable(file, table))?.[1]
    return kib === undefined ? undefined : Number(kib) * KIB
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** Another system has none. */
function openTable(pid: number | undefined): number | undefined {
  try {
    return pid === undefined ? undefined : openSync(`/proc/${pid}/status`, 'r')
  } catch {
    return undefined
  }
}

/** Empty for a process that is gone. */
function readTable(file: number, table: Buffer): string {
  try {
    return table.toString('latin1', 0, readSync(file, table, 0, TABLE_BYTES, 0))
  } catch {
    return ''
  }
}
