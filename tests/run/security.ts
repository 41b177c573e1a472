import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = 'docs/security.md'
const NAMED = /`([\w./-]+\.(?:test|spec))`/g

/** The files of tests that the page on security cites, by who runs them. */
export type SecurityTests = { readonly vitest: readonly string[]; readonly browsers: readonly string[] }

/** Throws for a name that is no file. */
export function securityTests(root: string): SecurityTests {
  const cited = readFileSync(join(root, PAGE), 'utf8').matchAll(NAMED)
  const files = [...new Set([...cited].map(([, name = '']) => fileOf(root, name)))].sort()
  return {
    vitest: files.filter((file) => file.includes('.test.')),
    browsers: files.filter((file) => file.includes('.spec.')),
  }
}

function fileOf(root: string, name: string): string {
  const found = ['ts', 'tsx'].map((ending) => `tests/${name}.${ending}`).find((file) => existsSync(join(root, file)))
  if (!found) throw new Error(`${PAGE} names ${name}, and there is no such test.`)
  return found
}
