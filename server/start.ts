import { runRestarted } from './embedded/lifecycle/restart-program.ts'
import { ECHO_OF_NPM_MS } from './embedded/lifecycle/stop-signals.ts'

/** `npm start`: the program as a child, begun again when it dies. */
process.exitCode = await runRestarted({
  file: new URL('./main.ts', import.meta.url),
  args: process.argv.slice(2),
  echoMs: ECHO_OF_NPM_MS,
  print: (text) => void process.stderr.write(`${text}\n`),
})
