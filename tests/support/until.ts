import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY_MS = 10

/** Waits until the condition holds and answers its value; fails with its name when it does not within `withinMs`. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  withinMs = 10_000,
): Promise<Exclude<T, false | null | undefined | 0 | ''>> {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await condition()
    if (value) return value as Exclude<T, false | null | undefined | 0 | ''>
    if (Date.now() > end) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await pause(LOOK_EVERY_MS)
  }
}
