import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { exported } from './archive.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world?.stop())

/** Ruling R5: blocked, hidden and deactivated are alike, in the copy too. */
test('the copy of one’s data does not tell who blocked from who is deactivated or hidden', async () => {
  const names = ['Ann', 'Bea', 'Cat', 'Dan', 'Eve', 'Fay']
  const [ann, blocker, away, hidden, blockerMatch, awayMatch] = (await Promise.all(
    names.map((name) => world.member(name)),
  )) as [Person, Person, Person, Person, Person, Person]
  for (const other of [blocker, away, hidden]) await world.buzz(ann, other)
  for (const other of [blockerMatch, awayMatch]) await world.match(ann, other)
  await world.settled()
  for (const other of [blocker, blockerMatch]) await world.block(other, ann)
  for (const other of [away, awayMatch]) await world.account(other, 'Deactivate')
  await world.edit(hidden, { visibilityMode: 'hidden' })
  await world.settled()
  const looks = await Promise.all(
    [blocker, away, hidden, blockerMatch, awayMatch].map(async ({ id }) => {
      const answer = await world.api(`/users/${id}`, { as: ann })
      return `${answer.status} ${await answer.text()}`
    }),
  )
  expect(new Set(looks).size).toBe(1)

  const { files } = await exported(world, ann)
  const shown = (other: Person) =>
    ['likes.json', 'matches.json', 'notifications.json', 'skips.json'].map((path) => {
      const text = files.get(path)?.toString('utf8') ?? '[]'
      const rows = (
        JSON.parse(text) as { id?: string; firstName?: string | null; from?: { id: string } | null }[]
      ).filter((row) => row.id === other.id || row.from?.id === other.id)
      return `${path}: ${rows.length} rows, named ${rows.some((row) => row.firstName)}`
    })
  expect(shown(away), 'deactivated, and not blocked').toEqual(shown(blocker))
  expect(shown(hidden), 'hidden, and not blocked').toEqual(shown(blocker))
  expect(shown(awayMatch), 'a match deactivated, and not blocked').toEqual(shown(blockerMatch))
})

test('notifications and skips in the copy tell no more than the lists of pages', async () => {
  const names = ['Ann', 'Bea', 'Cat', 'Dan']
  const [ann, blocker, away, hidden] = (await Promise.all(names.map((name) => world.member(name)))) as [
    Person,
    Person,
    Person,
    Person,
  ]
  for (const other of [blocker, away]) await world.buzz(other, ann)
  for (const other of [blocker, away, hidden]) await world.skip(ann, other)
  await world.settled()
  await world.block(blocker, ann)
  await world.account(away, 'Deactivate')
  await world.edit(hidden, { visibilityMode: 'hidden' })
  await world.settled()
  const { files } = await exported(world, ann)
  const listOf = (path: string) =>
    JSON.parse(files.get(path)?.toString('utf8') ?? '[]') as { firstName?: string | null }[]
  expect(listOf('notifications.json')).toEqual([])
  expect(listOf('skips.json').map(({ firstName }) => firstName)).toEqual([null, null, null])
})
