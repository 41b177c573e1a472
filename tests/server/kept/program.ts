import { appendFileSync, statSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { onKeeperGone, reportReady } from '../../../server/embedded/lifecycle/restart-program.ts'

/**
 * A program for the tests of what keeps one running: it `stays`, `dies` once it is up, or `fails` before that. With a
 * file it notes its starts there: the first dies once it is up, `failures` after it fail, and the one after those stays.
 * `swells`: it dies of having no memory left. `shows`: it prints the MiB that its old objects may have.
 */
const [, , how = 'stays', file = '', failures = '0'] = process.argv
if (file) appendFileSync(file, '.')
const starts = file ? statSync(file).size : 0
const fails = how === 'fails' || (starts > 1 && starts <= Number(failures) + 1)
const dies = how === 'dies' || starts === 1
if (fails) process.exit(3)

/** Until the engine ends the process. */
function takeAllMemory(): never {
  for (const kept: object[] = []; ; ) kept.push(Array.from({ length: 10_000 }, (_, n) => ({ n })))
}

/** Beside it the engine has three halves of the room for young ones, of 16 MiB. */
const oldSpaceLimit = () => getHeapStatistics().heap_size_limit - 3 * 2 ** 24

process.on('SIGTERM', () => process.exit(0))
onKeeperGone(() => process.exit(0))
reportReady(() => {
  if (how === 'shows') process.stdout.write(`heap ${Math.round(oldSpaceLimit() / 2 ** 20)}\n`)
  process.stdout.write(`up ${process.pid}\n`)
  if (dies && how === 'swells') takeAllMemory()
  if (dies) process.exit(7)
  process.channel?.ref()
})
