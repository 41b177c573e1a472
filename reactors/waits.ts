import { TooNewEvent } from '../eventstore/codec.ts'
import { keepRunning, onceEachTime } from '../eventstore/retry.ts'

type Fields = { readonly name: string; readonly why: string }

/**
 * Runs tasks by name until the signal, each again where it fails; why one waits is reported once until it gets on. `outgrown` has those
 * that stand before a type of a later release.
 */
export function createWaits(signal: AbortSignal, report: (level: 'warn', text: string, fields: Fields) => void) {
  const outgrown = new Set<string>()
  function onward(task: (gotOn: () => void) => Promise<void>, name: string): Promise<void> {
    const { failed, worked } = onceEachTime((error) =>
      report('warn', 'reactors wait for their log, their database or a later release', { name, why: nameOf(error) }),
    )
    const watched = (gotOn: () => void) =>
      task(() => {
        worked()
        outgrown.delete(name)
        gotOn()
      })
    return keepRunning(signal, watched, (error) => {
      if (error instanceof TooNewEvent) outgrown.add(name)
      failed(error)
    })
  }
  return { onward, outgrown }
}

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
