import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 10
/** What takes long is looked at less often: a look may cost a query, or a connection. */
const LOOK_AT_LEAST_EVERY_MS = 50
const SHARE_OF_WAIT = 0.1

/** Waits until the condition holds and answers its value; fails with its name when it does not within `withinMs`. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 10_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const begin = Date.now()
  for (;;) {
    const value = await condition()
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>
    const waited = Date.now() - begin
    if (waited > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await pause(Math.min(LOOK_EVERY_MS + waited * SHARE_OF_WAIT, LOOK_AT_LEAST_EVERY_MS))
  }
}
