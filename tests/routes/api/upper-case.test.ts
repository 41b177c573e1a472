import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())

test('a call sets no cookie of pages, in whatever case its path is written', async () => {
  const ann = await world.member('Ann')
  for (const base of ['/api', '/API']) {
    const answer = await fetch(`${world.url}${base}/users/me`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${ann.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ bio: base }),
    })
    expect([base, answer.status, answer.headers.getSetCookie()]).toEqual([base, 200, []])
  }
})
