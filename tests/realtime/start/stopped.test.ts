import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogSource } from '../../../realtime/log-source.ts'
import { createRealtime } from '../../../realtime/server.ts'
import { until } from '../../support/until.ts'
import { defaults, member, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a node that is stopped while it starts ends what it had begun, and starts no more', async () => {
  await world.match(member('Ann'), member('Bea'))
  const source = createLogSource(world.log)
  const follows: AbortSignal[] = []
  const node = createRealtime({
    ...defaults(world),
    authenticate: {
      waitOf: async () => null,
      flooded: async () => undefined,
      cookie: async () => null,
      token: async () => null,
    },
    origins: () => [],
    source: {
      ...source,
      async *follow(_, signal) {
        follows.push(signal)
        if (!signal.aborted) await once(signal, 'abort')
        yield* []
      },
    },
  })
  const starting = node.start().then(
    () => 'started',
    ({ message }: Error) => message,
  )
  await until('it follows the log', () => follows.length > 0)
  await node.stop()
  expect(await starting).toBe('It was stopped.')
  expect(follows.map(({ aborted }) => aborted)).toEqual([true])
  expect(node.ready()).toBe(false)
  await expect(node.start()).rejects.toThrow('It was stopped.')
})
