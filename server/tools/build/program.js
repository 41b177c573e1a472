// @ts-check
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { CURRENT, currentProgram, hashOf, PROGRAM } from './built.js'

/** What is started by its name, and what these start or read as a file of its own. No two have one name. */
const ENTRIES = [
  'server/main.ts',
  'server/start.ts',
  ...['admin', 'backup', 'build', 'events', 'history', 'log', 'projections', 'seed'].map(
    (tool) => `server/tools/cli/${tool}.ts`,
  ),
  'server/embedded/log/log-process.ts',
  'server/workers/web-worker.ts',
  'server/tools/build/pages-process.ts',
  'eventstore/chain/scan-worker.ts',
  'services/media/parse/media-process.ts',
  'services/nearby/towns.json',
  'server/demo/clips/sea.webm',
  'server/demo/clips/train.webm',
]
/** Sources beside what is bundled. */
const BESIDE = ['server/tools/build/program.js', 'tsconfig.json']
/** A process that runs an older build still loads from it. */
const KEPT = 10

/**
 * Makes the current build where it is not of these sources. Answers whether it did.
 * @param {string} root
 */
export async function ensureProgram(root) {
  if (currentProgram(root)) return false
  await buildProgram(root)
  return true
}

/**
 * Bundles our own code, with packages left outside, and makes that the current build. Of two that build at once each
 * makes a whole one. Throws with the reason when it cannot be built.
 * @param {string} root
 * @returns {Promise<import('./built.js').Program>}
 */
export async function buildProgram(root) {
  const folder = `${Date.now()}-${randomBytes(4).toString('hex')}`
  const sources = [...(await bundle(root, join(PROGRAM, folder))), ...BESIDE].sort()
  const hash = hashOf(root, sources)
  if (hash === null) throw new Error('A source was removed while the program was being built.')
  const program = { folder, sources, hash }
  const draft = join(root, PROGRAM, `${folder}.json`)
  writeFileSync(draft, JSON.stringify(program))
  renameSync(draft, join(root, CURRENT))
  removeOld(join(root, PROGRAM))
  return program
}

/**
 * Answers the files that went into it.
 * @param {string} root
 * @param {string} outdir
 */
async function bundle(root, outdir) {
  const { build } = await loadEsbuild()
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20.19', packages: 'external' },
    // All in one folder: a file is beside every other one that it may name.
    ...{ outdir, entryNames: '[name]', chunkNames: 'chunk-[hash]', loader: { '.json': 'copy', '.webm': 'copy' } },
    ...{ sourcemap: true, sourcesContent: false, metafile: true, logLevel: 'silent' },
    plugins: [{ name: 'named-files', setup: nameFiles(root) }],
  })
  return Object.keys(metafile.inputs)
}

async function loadEsbuild() {
  try {
    return await import('esbuild')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'The program is not built, or its sources have changed since, and esbuild, which builds it, is not installed. ' +
        'Run npm ci without --omit=dev, or bring the folder build/ from where these sources were built.',
    )
  }
}

const NAMED = /new URL\('(\.[^']+\.(?:ts|json|webm))', import\.meta\.url\)/g

/**
 * A source that names a file beside it, `new URL('./worker.ts', import.meta.url)`, names what the build made of that.
 * @param {string} root
 * @returns {(build: import('esbuild').PluginBuild) => void}
 */
const nameFiles = (root) => (build) => {
  build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
    /** @type {{ text: string }[]} */
    const errors = []
    const contents = readFileSync(path, 'utf8').replace(NAMED, (_, named) => {
      const source = relative(root, resolve(dirname(path), named))
      if (!ENTRIES.includes(source))
        errors.push({ text: `${relative(root, path)} names ${source}, no entry of the build.` })
      return `new URL('./${basename(source).replace(/\.ts$/, '.js')}', import.meta.url)`
    })
    return { contents, errors, loader: 'ts' }
  })
}

function removeOld(/** @type {string} */ builds) {
  const folders = readdirSync(builds, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = folders.map(({ name }) => name).sort()
  for (const name of names.slice(0, -KEPT)) rmSync(join(builds, name), { recursive: true, force: true })
}
