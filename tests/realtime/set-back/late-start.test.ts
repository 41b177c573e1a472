import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { until } from '../../support/until.ts'
import { type Rig, rolesBut, startRig } from './rig.ts'

let rig: Rig
let release: (() => Promise<void>) | undefined
beforeEach(async () => {
  rig = await startRig()
})
afterEach(async () => {
  await release?.()
  release = undefined
  await rig.stop()
})

const withProjector = rolesBut('reactors')
const withoutOne = rolesBut('reactors', 'projector')

/** Two who are matched, in a log that is set back behind them; nobody fills the new tables of who may see what. */
async function setBack() {
  const { world } = rig
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const before = await world.core.log.head()
  for (const bio of ['one', 'two', 'three']) await world.edit(ann, { bio })
  await world.settled()
  await rig.restartLog(before)
  release = await rig.hold('relations', 'accounts')
  return { ann, bea }
}

test.each([
  ['with a projector', withProjector],
  ['without one', withoutOne],
])(
  'a start %s in a log that was set back reads nothing of it for sockets before the read models are of that log',
  async (_, roles) => {
    const { ann, bea } = await setBack()
    const { product, ready, socketOf, sendMessage } = await rig.node(roles)
    const live = product.live!
    expect([product.showsLog(), live.ready(), live.stats().head]).toEqual([false, false, undefined])
    expect(await product.states()).toContainEqual({ role: 'realtime', ready: false })
    if (!product.projector) await rig.node(withProjector)
    await release!()
    await ready()
    expect(product.showsLog()).toBe(true)
    const { peer } = await socketOf(bea)
    await sendMessage(ann, bea, 'Here again')
    expect((await peer.event('direct:message')).data.text).toBe('Here again')
  },
)

test('a process whose sockets cannot start behind the read models has to stop, by that error', async () => {
  await setBack()
  const mustStop = vi.fn<(error: Error) => void>()
  const { product } = await rig.node(withProjector, { mustStop })
  const away = new Error('The log is away.')
  vi.spyOn(product.core.log, 'earlierPosition').mockRejectedValue(away)
  await release!()
  await until('it has to stop', () => mustStop.mock.calls.length > 0, 30_000)
  expect(mustStop.mock.calls).toEqual([[away]])
  expect(product.live!.ready()).toBe(false)
})
