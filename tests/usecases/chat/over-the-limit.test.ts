import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageId } from '../../../domain/shared/ids.ts'
import { RATES } from '../../../services/limits/rates.ts'
import { sendMessage } from '../../../usecases/chat/send-message.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { as } from '../acting.ts'

let world: World
let [ann, bea, cat]: Person[] = []
beforeAll(async () => {
  world = await startWorld({ web: false, rateLimits: true })
  ;[ann, bea, cat] = [await world.member('Ann'), await world.member('Bea'), await world.member('Cat')]
  await world.match(ann, bea)
  await world.settled()
})
afterAll(() => world.stop())

const MANY = 300

/** As Ann, once she has sent as much as she may; counts what is asked for a message of hers. */
function overTheLimit() {
  const looks = { stream: 0, access: 0 }
  const acting = as(world, ann!)
  const { limits } = world.services
  const take: Acting['limits']['take'] = async (rate, ...more) =>
    rate === 'MSG' ? { ok: false, retryInMs: 1_000 } : limits.take(rate, ...more)
  const isRepeat: Acting['isRepeat'] = (...asked) => {
    looks.stream++
    return acting.isRepeat(...asked)
  }
  const read = acting.read.withPlugin({
    transformQuery: ({ node }) => {
      looks.access++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { looks, acting: { ...acting, isRepeat, read, limits: { ...limits, take } } }
}
const send = (acting: Acting, to: Person, id: string) =>
  sendMessage(acting, { to: to.id, id: id as MessageId, text: 'Hello' })

test('over the limit each message is refused, and only so many are looked up', async () => {
  const { looks, acting } = overTheLimit()
  const first = await send(as(world, ann!), bea!, 'first')
  expect(await send(acting, bea!, 'first')).toEqual(first)
  const most = RATES.REPEAT.windows[1].points
  for (const to of [bea!, cat!])
    for (let n = 0; n < MANY; n++) expect(await send(acting, to, randomUUID())).toMatchObject({ reason: 'slow-down' })
  expect(looks.stream).toBeLessThanOrEqual(most)
  expect(looks.access).toBeLessThanOrEqual(most)
  expect(await send(as(world, bea!), ann!, 'hers')).toMatchObject({ ok: true })
})
