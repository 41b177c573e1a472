// @ts-check
import { readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/*
 * `node bundle.js <source> <target>`: one file of our own code, with packages left outside. It goes on as its source: what
 * it names beside it, and whether it is the file that was started, is as if nothing was bundled.
 */

const [, , source = '', target = ''] = process.argv
const draft = `${target}.${process.pid}`

await build({
  entryPoints: [source],
  outfile: draft,
  ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20.19', packages: 'external', logLevel: 'error' },
  banner: { js: `if (process.argv[1] === ${JSON.stringify(target)}) process.argv[1] = ${JSON.stringify(source)}` },
  plugins: [{ name: 'own-address', setup: keepAddress }],
})
renameSync(draft, target)

/** @param {import('esbuild').PluginBuild} build */
function keepAddress(build) {
  build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
    const text = readFileSync(path, 'utf8')
    const contents = text
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
    return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
  })
}
