import { expect, test } from 'vitest'
import { fromLater } from '../eventstore/later-release.ts'
import { buzzed, member, pairStream, sent } from '../projections/engine-rig.ts'
import { until } from '../support/until.ts'
import { looksAgain, startWatching } from './watching.ts'

const [ann, bea] = ['Ann', 'Bea'].map(member) as [never, never]
const stream = pairStream(ann, bea)

type Watching = Awaited<ReturnType<typeof startWatching>>
/** As on a full disk: where the reactor is can be read, and nothing be noted. */
const failNoting = ({ pool }: Watching) => pool.query('alter table app.reactor_effect rename to elsewhere')
const letNote = ({ pool }: Watching) => pool.query('alter table app.elsewhere rename to reactor_effect')

test.each<[string, (watching: Watching) => Promise<unknown>]>([
  ['what it owes', ({ append }) => append(stream, sent(ann, bea, 1))],
  ['what it owes behind events of others', ({ append }) => append(stream, buzzed(ann, bea), sent(ann, bea, 1))],
  [
    'that it has come to a type of a later release',
    async ({ append, log }) => {
      await append(stream, buzzed(ann, bea))
      await log.append('pair-later', 'no_stream', [fromLater('Waved')])
    },
  ],
])('a reactor that cannot note %s reports it once', async (_, happens) => {
  const watching = await startWatching()
  await failNoting(watching)
  await happens(watching)
  await until('it fails', () => watching.lines.length > 0)
  await looksAgain(watching.state)
  expect(watching.lines).toHaveLength(1)
})

test('a reactor that cannot note how far it is, among events of others, reports it once', async () => {
  const watching = await startWatching({ noteMs: 20 })
  await failNoting(watching)
  const goesOn = async () => void (await watching.append(stream, buzzed(ann, bea)))
  await until('it fails', () => goesOn().then(() => watching.lines.length > 0))
  const { looks } = watching.state
  await until('it has looked again', () => goesOn().then(() => watching.state.looks > looks + 3))
  expect(watching.lines).toHaveLength(1)
})

test('a reactor that could note something since reports the next time that it cannot', async () => {
  const watching = await startWatching()
  for (const times of [1, 2]) {
    await failNoting(watching)
    await watching.append(stream, sent(ann, bea, times))
    await until('it fails', () => watching.lines.length >= times)
    await letNote(watching)
    const owed = 'select from app.reactor_effect'
    await until('it is noted', async () => (await watching.pool.query(owed)).rowCount === times)
  }
  expect(watching.lines).toHaveLength(2)
})
