import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
type Locked = {
  readonly license?: string
  readonly dev?: boolean
  readonly integrity?: string
  readonly resolved?: string
}
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
const locked = Object.entries(packages).filter(([path]) => path !== '')
const inProduction = locked.filter(([, { dev }]) => !dev)

/** What may be shipped beside the product; libvips (LGPL), mediabunny (MPL) and argparse (Python-2.0) are used as they come. */
const LICENCES = new Set(
  'MIT MIT-0 ISC 0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause Unlicense LGPL-3.0-or-later MPL-2.0 Python-2.0'.split(' '),
)

test('every package of production has a licence that allows its use', () => {
  const others = inProduction.filter(([, { license = '' }]) => {
    const words = license.replace(/[()]/g, '').split(/ (?:AND|OR) /)
    return !words.every((word) => LICENCES.has(word))
  })
  expect(others.map(([path, { license }]) => [path, license])).toEqual([])
})

test('every package is locked by a hash', () => {
  expect(locked.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
})

test('the list of parts names every package that the product depends on', () => {
  const printed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], { cwd: root, encoding: 'utf8' })
  const { components } = JSON.parse(printed) as { components: { name: string; group?: string; version: string }[] }
  const listed = new Set(components.map(({ group, name }) => (group ? `${group}/${name}` : name)))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([])
  expect(components.every(({ version }) => version !== '')).toBe(true)
})

/** Private keys, and tokens of the services that scanners know by their form. */
const SECRETS = [
  '-----BEGIN [A-Z ]*PRIVATE KEY',
  'AKIA[0-9A-Z]{16}',
  'gh[pousr]_[A-Za-z0-9]{36}',
  'xox[baprs]-[0-9A-Za-z-]{10,}',
  'AIza[0-9A-Za-z_-]{35}',
  'sk_live_[0-9a-zA-Z]{10,}',
  'npm_[A-Za-z0-9]{36}',
  'eyJ[A-Za-z0-9_-]{20,}\\.eyJ',
  '(MASTER_KEY|EMAIL_PEPPER|MEDIA_SECRET)=[A-Za-z0-9+/]{20,}',
]

test('no file of the tree has a secret in it', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file && existsSync(join(root, file)))
  expect(files.length).toBeGreaterThan(500)
  const pattern = new RegExp(SECRETS.join('|'))
  const found = files.filter((file) => pattern.test(readFileSync(join(root, file), 'latin1')))
  expect(found.filter((file) => file !== 'tests/architecture/supply-chain.test.ts')).toEqual([])
})
