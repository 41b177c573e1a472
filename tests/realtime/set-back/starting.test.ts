import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Position } from '../../../domain/shared/recorded.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { shownPosition } from '../../../server/waiting/caught-up.ts'
import { runIn } from '../../support/fresh-database.ts'
import { noNews } from '../../support/recorded.ts'
import { until } from '../../support/until.ts'
import { Peer } from '../peer.ts'
import { pageOf, portOf } from './port.ts'
import { type Node, type Rig, rolesBut, startRig } from './rig.ts'

let rig: Rig
let release: (() => Promise<void>) | undefined
const ports: HttpServer[] = []
beforeEach(async () => {
  rig = await startRig()
})
afterEach(async () => {
  await release?.()
  release = undefined
  for (const port of ports.splice(0)) await port.close()
  await rig.stop()
})

/** Each starts several products one after the other. */
const LONG_MS = 180_000
const withProjector = rolesBut('reactors')
const withoutOne = rolesBut('reactors', 'projector')

async function ported(node: Node, roles = withProjector): Promise<HttpServer> {
  const port = await portOf(rig, node, roles)
  ports.push(port)
  return port
}

/** Two who are matched, in a log that is set back behind what others wrote then. */
async function setBack(events: number) {
  const { world } = rig
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  for (let left = events; left > 0; left -= 500) {
    const noise = Array.from({ length: 500 }, () => noNews())
    await world.core.log.append(`noise-${left}`, 'no_stream', noise)
  }
  await world.settled()
  const before: Position = await world.core.log.head()
  for (const bio of ['one', 'two', 'three']) await world.edit(ann, { bio })
  await world.settled()
  // What a node still remembers is of later.
  await runIn(world.logDatabase, `update log.event set created = created - 3600000000::bigint`)
  await rig.restartLog(before)
  return { ann, bea }
}

const answerOf = async ({ url }: HttpServer, path: string) => {
  const answer = await fetch(url + path, { redirect: 'manual' })
  return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() }
}

const isReady = async (port: HttpServer) => (await answerOf(port, '/readyz')).status === 200
const socketAt = ({ port }: HttpServer) =>
  new Peer(port, { origin: `http://127.0.0.1:${port}` }).opened.then(
    () => 'taken',
    ({ message }: Error) => message,
  )

test.each([
  ['with a projector', withProjector],
  ['without one', withoutOne],
])(
  'a node %s starts for as long as a read model shows what the log was before it was set back',
  async (_, roles) => {
    await setBack(0)
    release = await rig.hold('profiles')
    const node = await rig.node(roles)
    const port = await ported(node, roles)
    const feeding = node.product.projector ? node : await rig.node(withProjector)

    for (const path of ['/discover', '/media/x', '/dev/mailbox'])
      expect([path, await answerOf(port, path)]).toEqual([
        path,
        { status: 503, retry: '5', text: expect.stringContaining('LetsBuzz is starting') },
      ])
    const call = await answerOf(port, '/api/discover')
    expect([call.status, JSON.parse(call.text)]).toEqual([
      503,
      { error: expect.stringContaining('LetsBuzz is starting'), retryInMs: 5_000 },
    ])
    expect((await answerOf(port, '/healthz')).status).toBe(200)
    const { roles: states } = JSON.parse((await answerOf(port, '/readyz')).text)
    expect(states).toContainEqual({ role: 'read models', ready: false })
    expect(await socketAt(port)).toBe('status 503')

    await release()
    await feeding.live()
    await until('it is ready', () => isReady(port))
    expect(await answerOf(port, '/discover')).toMatchObject({ status: 200, text: 'a page' })
    expect(await socketAt(port)).toBe('taken')
  },
  LONG_MS,
)

test(
  'a page of before a set-back reads itself again once, when the read models are filled',
  async () => {
    const { ann, bea } = await setBack(2500)
    release = await rig.hold('profiles')
    const node = await rig.node(withProjector)
    const port = await ported(node)
    const { projector } = node.product
    const shown = () => shownPosition(projector!)!
    const page = pageOf(port, bea, shown(), shown)
    try {
      page.live.start()
      await node.sendMessage(ann, bea, 'While it is filled')
      await until('it was sent away several times', () => page.tries.refused + page.reloads.length >= 3, 30_000)
      expect(page.reloads).toEqual([])
      await release()
      await node.live()
      await node.reached()
      await until('the page is live', () => page.live.state === 'live', 30_000)
      await node.sendMessage(ann, bea, 'Once it is')
      await until('it comes', () => page.seen.includes('Once it is'))
      expect(page.reloads.length).toBeLessThanOrEqual(1)
    } finally {
      page.live.stop()
    }
  },
  LONG_MS,
)
