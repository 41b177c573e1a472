import type { ChildProcess } from 'node:child_process'

/**
 * Signals a child that has started. One that could not start, as where no descriptor is left, has no process id, and
 * node signals some number in place of it: 0, which is the group of this very process, or the id of another one.
 */
export function killChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (child.pid !== undefined) child.kill(signal)
}
