import { onKeeperGone, reportReady } from '../../../server/embedded/lifecycle/keep-running.ts'

/** A program for the tests of what keeps one running: it `stays`, `dies` once it is up, or `fails` before that. */
const [, , how = 'stays'] = process.argv
if (how === 'fails') process.exit(3)
process.on('SIGTERM', () => process.exit(0))
onKeeperGone(() => process.exit(0))
reportReady(() => {
  process.stdout.write(`up ${process.pid}\n`)
  if (how === 'dies') process.exit(7)
  process.channel?.ref()
})
