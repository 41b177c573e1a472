import { caughtUpFrame, fellBehindFrame } from '../../eventstore/embedded/protocol/wire.ts'

/** A reader of a subscription, who takes frames only while it is not paused. */
export function slowReader() {
  const seen: string[] = []
  const abort = new AbortController()
  const state = { waits: 0 }
  let paused: { promise: Promise<void>; release: () => void } | undefined
  return {
    seen,
    /** How often it has waited for what comes. */
    waits: () => state.waits,
    pause() {
      let release = () => {}
      const promise = new Promise<void>((resolve) => {
        release = resolve
      })
      paused = { promise, release }
    },
    resume() {
      paused?.release()
      paused = undefined
    },
    leave: () => abort.abort(),
    outlet: {
      send(frame: Buffer): Promise<void> | undefined {
        seen.push(frame === caughtUpFrame ? 'caught up' : frame === fellBehindFrame ? 'fell behind' : String(frame))
        return paused?.promise
      },
      async until(wait: (signal: AbortSignal) => Promise<unknown>) {
        state.waits++
        await wait(abort.signal)
      },
    },
  }
}
