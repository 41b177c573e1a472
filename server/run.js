// @ts-check
import { argv, execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { currentProgram, fileOf, ROOT } from './tools/build/built.js'

/*
 * `node server/run.js main` runs the program, `node server/run.js backup` a tool, each as it was built and in this very
 * process; `start` runs the program in one below, and again when it dies. When the sources have changed since, it is built anew first.
 */

async function build() {
  process.stderr.write('Building the program …\n')
  // What builds is loaded where it is needed, and need not be installed elsewhere.
  const { buildProgram } = await import('./tools/build/program.js')
  return buildProgram(ROOT)
}

/** Null when there is no such file, or it cannot be built; standard error has the reason then. */
async function fileToRun(/** @type {string} */ name) {
  try {
    return fileOf(ROOT, currentProgram(ROOT) ?? (await build()), name)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return null
  }
}

const [, , name = '', ...rest] = argv
const file = await fileToRun(name)
if (file === null) process.exit(1)
// As if the file itself had been started.
process.argv = [execPath, file, ...rest]
await import(pathToFileURL(file).href)
