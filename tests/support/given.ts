import { expect } from 'vitest'
import type { Decider, Decision } from '../../domain/shared/decider.ts'

/** `given(decider, …history).when(command).then(…events)`, `.thenRefused(reason)`, `.thenNothing()`. */
export function given<C, E, S, R extends string>(decider: Decider<C, E, S, R>, ...history: E[]) {
  const state = history.reduce(decider.evolve, decider.initial)
  return { state, when: (command: C) => outcome(decider.decide(command, state)) }
}

function outcome<E, R extends string>(decision: Decision<E, R>) {
  return {
    decision,
    // biome-ignore lint/suspicious/noThenProperty: the sentence of a test; nothing awaits it.
    then: (...events: E[]) => expect(decision).toEqual({ ok: true, events }),
    thenNothing: () => expect(decision).toEqual({ ok: true, events: [] }),
    thenRefused: (reason: R, retryInMs?: number) =>
      expect(decision).toEqual(retryInMs === undefined ? { ok: false, reason } : { ok: false, reason, retryInMs }),
  }
}
