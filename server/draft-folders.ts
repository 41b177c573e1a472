import { hostname } from 'node:os'
import type { DraftFolders } from '../services/media/drafts.ts'
import { identityOf } from './embedded/lifecycle/process-identity.ts'

const plain = (text: string) => text.replace(/[^\w.-]/g, '_')

/** Throws when the process does not exist. */
const nameOf = (pid: number) => [hostname(), String(pid), identityOf(pid).startTime].map(plain).join('~')

/** By machine and process. What a process of another machine left is for that machine to remove, or for the sweep. */
export function draftFolders(): DraftFolders {
  return {
    own: nameOf(process.pid),
    isLeft(name) {
      const [machine, pid] = name.split('~')
      return machine === plain(hostname()) && !isOfRunning(name, Number(pid))
    },
  }
}

function isOfRunning(name: string, pid: number): boolean {
  try {
    return name === nameOf(pid)
  } catch {
    return false
  }
}
