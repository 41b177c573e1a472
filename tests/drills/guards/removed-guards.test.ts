import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GUARDS } from './guards.ts'
import { removedGuards, weakened } from './removed-guards.ts'

test('each guard stands where the drill takes it out, and its test has its name', () => {
  for (const guard of GUARDS) {
    expect(weakened(readFileSync(guard.file, 'utf8'), guard)).not.toContain(guard.with)
    const { file, title, each } = guard.test
    expect(readFileSync(file, 'utf8')).toContain(each ? `'${each}'` : `test('${title}'`)
  }
})

test('without the nonce of a sign-in with Google its test turns red', async () => {
  const result = await removedGuards(['nonce of a sign-in with Google'])
  expect(result).toMatchObject({ guards: 1, unnoticed: [], broken: [] })
})
