import { readdirSync, readFileSync } from 'node:fs'
import { descendantsOf } from './program-child.ts'

/** Memory in MiB and open descriptors of the program itself; Linux alone. `parts`: the processes below it by name. */
export type Footprint = { readonly mib: number; readonly descriptors: number; readonly parts: readonly string[] }

const PAGES_PER_MIB = 256

export function footprintOf(pid: number): Footprint {
  const resident = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return {
    mib: Math.round(resident / PAGES_PER_MIB),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    parts: descendantsOf(pid).flatMap((part) => nameOf(part) ?? []),
  }
}

/** The parts that have to live as long as the program does, with their ids. */
function nameOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    const part = /log-process|bin\/postgres -D/.exec(line)?.[0]
    return part ? `${part} ${pid}` : null
  } catch {
    return null
  }
}
