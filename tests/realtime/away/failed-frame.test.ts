import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogSource } from '../../../realtime/log-source.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { wrong } from '../../support/wrong.ts'
import { member, pairIdOf, startWorld, type World } from '../world.ts'

const FAILED = { type: 'error', error: 'Something went wrong.', code: 'failed' }
const AWAY = new Error('away')
const retryInMs = (error: unknown) => (error === AWAY ? 5_000 : undefined)

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const portsWithout = (why: Error) =>
  new Proxy(wrong<Ports>({}), {
    ownKeys: () => {
      throw why
    },
  })
const [ann, bea] = [member('Ann f'), member('Bea f')]
const message = { to: bea, id: 'one', roomId: pairIdOf(ann, bea), text: 'Hello' }

test.each([
  ['while a part is away', AWAY, { retryInMs: 5_000 }],
  ['by a mistake', new TypeError('a mistake'), {}],
])('a frame that fails %s is answered under its id, or under its name', async (_how, why, more) => {
  const node = await world.node({ ports: portsWithout(why), retryInMs })
  const peer = await world.peer(node, ann)
  peer.send({ type: 'direct:message', id: 'm1', data: message })
  expect(await peer.next('error')).toEqual({ ...FAILED, for: 'm1', ...more })
  peer.send({ type: 'direct:message', data: message })
  expect(await peer.next('error')).toEqual({ ...FAILED, for: 'direct:message', ...more })
})

test('a resume that fails while the log is away is answered as that, with the wait', async () => {
  const source = createLogSource(world.log)
  let isAway = false
  const head = () => (isAway ? Promise.reject(AWAY) : source.head())
  const node = await world.node({ source: { ...source, head }, retryInMs })
  const peer = await world.peer(node, ann)
  const { epoch } = await peer.next('heartbeat').then(() => peer.frames[0] as { epoch: string })
  isAway = true
  peer.send({ type: 'resume', last: '9999999999999', epoch })
  expect(await peer.next('error')).toEqual({ ...FAILED, for: 'resume', retryInMs: 5_000 })
})
