import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SECURITY_EVENTS } from '../../server/http/security-events.ts'

/** The first column of the table under a heading row. */
function firstColumn(page: string, heading: string): string[] {
  const [, table = ''] = page.split(heading)
  const rows = table.split('\n\n')[0]!.split('\n').slice(2)
  return rows.map((row) => /^\| `([\w-]+)` \|/.exec(row)?.[1] ?? row)
}

test('the table of security events has each kind that is logged, and no other', () => {
  const page = readFileSync('docs/security.md', 'utf8')
  expect(firstColumn(page, '| Kind | Is logged when |')).toEqual([...SECURITY_EVENTS])
})

test('a page for an incident names kinds that are logged', () => {
  const page = readFileSync('docs/how-to/rotate-keys.md', 'utf8')
  const named = /\(kinds ([^)]+)\)/.exec(page)?.[1]?.match(/[\w-]+/g) ?? []
  expect(named).toContain('login-failed')
  expect(named.filter((kind) => !(SECURITY_EVENTS as readonly string[]).includes(kind))).toEqual([])
})
