import { readFileSync } from 'node:fs'

/**
 * Loaded before a program by `--import`: the clock of the whole process, whoever asks it, is off by what the file holds
 * that DRILL_CLOCK_FILE names, in milliseconds; read again and again. Timers and the databases' clock go on as they are.
 */
export const CLOCK_FILE = 'DRILL_CLOCK_FILE'

const READ_EVERY_MS = 50
const path = process.env[CLOCK_FILE]

if (path) {
  const Real = Date
  const realNow = Real.now
  let offset = 0
  const read = () => {
    try {
      offset = Number(readFileSync(path, 'utf8')) || 0
    } catch {
      offset = 0
    }
  }
  read()
  setInterval(read, READ_EVERY_MS).unref()
  const now = () => realNow() + offset
  globalThis.Date = new Proxy(Real, {
    apply: () => new Real(now()).toString(),
    construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [now()] : given, self),
    get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
  })
}
