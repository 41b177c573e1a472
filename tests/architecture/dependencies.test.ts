import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { atTop, FOLDERS, importsOf, type SourceFile, sources } from './source.ts'

const root = resolve(import.meta.dirname, '../..')
type Manifest = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
  bin?: string | Record<string, string>
  peerDependencies?: Record<string, string>
}
const manifestIn = (folder: string) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
const manifest = manifestIn('.')
const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]

/** What the product imports and a server of a build does without, with the reason. */
const NOT_IN_PRODUCTION: Record<string, string> = {
  '@fontsource-variable/figtree': 'a build copies its files',
  '@fontsource-variable/fraunces': 'a build copies its files',
  '@remix-run/fs-routes': 'builds pages',
  '@remix-run/route-config': 'builds pages',
  esbuild: 'builds the program',
  tsx: 'reads TypeScript where nothing is built',
  typescript: 'reads the sources for `npm run events`',
  vite: 'builds pages, and serves them in development',
}

/** `@scope/name` or `name` of what is imported; null for a file, and for what Node brings. */
function packageOf(specifier: string): string | null {
  if (/^(\.|node:|virtual:)/.test(specifier) || builtinModules.includes(specifier)) return null
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? null
}

const product = sources()
const scripts = sources([...FOLDERS], /\.js$/)
const all = [...product, ...scripts, ...sources(['tests'], /\.([jt]s|tsx)$/), ...atTop(/\.[jt]s$/)]
const packagesOf = (file: SourceFile, running = false) =>
  importsOf(file, running).flatMap((specifier) => packageOf(specifier) ?? [])
/** Read before the tests, as it takes long: this parses every file. */
const imported = all.map((file) => ({ file, packages: packagesOf(file) }))

/** The starts of paths that a file asks `resolve` for, such as `createRequire(…).resolve('lucide-static/icons/…')`. */
function resolvedBy(file: SourceFile): string[] {
  if (!file.text.includes('resolve')) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /\bresolve$/.test(node.expression.getText())) {
      const [first] = node.arguments
      if (first && ts.isStringLiteralLike(first)) found.push(first.text)
      if (first && ts.isTemplateExpression(first)) found.push(first.head.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file.tree)
  return found.flatMap((path) => packageOf(path) ?? [])
}

/** Whether a script of the project runs a program of this package. */
function isRun(name: string): boolean {
  const { bin = {} } = manifestIn(join('node_modules', name))
  const programs = typeof bin === 'string' ? [name.replace(/^@[^/]+\//, '')] : Object.keys(bin)
  return Object.values(manifest.scripts).some((script) => script.split(/\s+/).some((word) => programs.includes(word)))
}

/** What another declared package wants beside it. */
const peers = new Set(
  declared.flatMap((name) => Object.keys(manifestIn(join('node_modules', name)).peerDependencies ?? {})),
)

/** The packages that a test wants as its environment. */
const environmentsOf = ({ text }: SourceFile) =>
  [...text.matchAll(/@vitest-environment (\S+)/g)].map(([, name]) => name!)

/** For `@types/name` the package that it describes. */
const describedBy = (name: string) => /^@types\/(.+)$/.exec(name)?.[1]?.replace(/^(.+)__/, '@$1/')

test('whatever is imported is declared', () => {
  const strange = imported.flatMap(({ file, packages }) =>
    packages
      .filter((name) => !declared.includes(name) && !declared.includes(`@types/${name}`))
      .map((name) => `${file.path} imports ${name}`),
  )
  expect(strange).toEqual([])
})

test('whatever is declared is imported, run by a script, wanted beside what is, or describes it', () => {
  const used = new Set(
    imported.flatMap(({ file, packages }) => [...packages, ...resolvedBy(file), ...environmentsOf(file)]),
  )
  const idle = declared.filter((name) => {
    const described = describedBy(name)
    if (described) return described !== 'node' && !declared.includes(described)
    return !used.has(name) && !isRun(name) && !peers.has(name)
  })
  expect(idle).toEqual([])
})

test('what the product imports is installed in production, but for what only builds and develops', () => {
  const wanted = new Set([...product, ...scripts].flatMap((file) => packagesOf(file, true)))
  const missing = [...wanted].filter((name) => !(name in manifest.dependencies) && !(name in NOT_IN_PRODUCTION))
  expect(missing).toEqual([])
  const idle = Object.keys(manifest.dependencies).filter((name) => !wanted.has(name))
  expect(idle).toEqual([])
})

test('every version is exact', () => {
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(loose.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
