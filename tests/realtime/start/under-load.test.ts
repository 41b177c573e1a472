import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import { member, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

test('a node is ready once what lay before its start is pushed, whatever comes meanwhile and waits', async () => {
  const ann = member('Ann')
  const buzzes = Array.from({ length: 4 }, (_, number) => {
    const from = member(`Suitor ${number}`)
    return { type: 'Buzzed' as const, from, to: ann, via: 'discover' as const, at: new Date() }
  })
  const ids = buzzes.map((_, number) => uuidFrom('start under load', number))
  const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: 'system' }
  await world.log.append('pair-load', 'no_stream', await world.codec.encode('pair-load', buzzes, ids, meta))
  const events = await world.log.read('pair-load')
  const source = createLogSource(world.log)
  const inTwo = {
    ...source,
    head: async () => events[1]!.position,
    async *follow(_after: string, signal: AbortSignal) {
      yield events.slice(0, 2)
      yield events.slice(2)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  }
  let asked = 0
  const never = new Promise<Map<never, never>>(() => undefined)
  const namesOf = () => (asked++ === 0 ? Promise.resolve(new Map()) : never)
  const node = await world.node({ source: inTwo as never, namesOf: namesOf as never })
  expect(node.realtime.stats().head >= events[1]!.position).toBe(true)
})
