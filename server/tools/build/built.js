// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of the product. */
export const ROOT = resolve(import.meta.dirname, '../../..')

/** Each build of the program has a folder here, beside the file that names the current one. */
export const PROGRAM = join('build', 'program')
export const CURRENT = join(PROGRAM, 'current.json')

/**
 * A build of the program: its folder, what it was made of, and a hash over that.
 * @typedef {{ readonly folder: string, readonly sources: readonly string[], readonly hash: string }} Program
 */

/**
 * The current build, if it is of the sources that are here. Where there are none, as on a server that was given a build
 * alone, it is taken as it is.
 * @param {string} root
 * @returns {Program | null}
 */
export function currentProgram(root) {
  const file = join(root, CURRENT)
  if (!existsSync(file)) return null
  /** @type {Program} */
  const program = JSON.parse(readFileSync(file, 'utf8'))
  const withoutSources = !existsSync(join(root, 'server', 'main.ts'))
  return withoutSources || hashOf(root, program.sources) === program.hash ? program : null
}

/**
 * Where the build has the program itself, `main`, or a tool. Throws for a name that nothing has.
 * @param {string} root
 * @param {Program} program
 * @param {string} name
 */
export function fileOf(root, { folder }, name) {
  const file = join(root, PROGRAM, folder, `${name}.js`)
  if (/^[a-z-]+$/.test(name) && existsSync(file)) return file
  throw new Error(`There is no program "${name}".`)
}

/**
 * Over names and contents. Null when a file is gone.
 * @param {string} root
 * @param {readonly string[]} sources paths relative to `root`
 */
export function hashOf(root, sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    const file = join(root, source)
    if (!existsSync(file)) return null
    hash.update(source).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}
