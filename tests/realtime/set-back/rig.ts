import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import type { PairCommand } from '../../../domain/pair/commands.ts'
import { pairDecider } from '../../../domain/pair/decider.ts'
import type { Position } from '../../../domain/shared/recorded.ts'
import { startLogServer } from '../../../eventstore/embedded/server.ts'
import { fromPosition } from '../../../eventstore/position.ts'
import { listRebuilding, withRebuildLock } from '../../../projections/engine/care/rebuild-lock.ts'
import { type Config, loadConfig } from '../../../server/config.ts'
import { createProduct, type Product, type ProductOptions } from '../../../server/product.ts'
import { createLogger } from '../../../services/log.ts'
import { quiet } from '../../../services/quiet-pool.ts'
import { as } from '../../eventstore/rig.ts'
import { runIn } from '../../support/fresh-database.ts'
import { until } from '../../support/until.ts'
import { JOB_TIMES, startWorld } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { Peer } from '../peer.ts'

type From = { readonly last?: string; readonly epoch?: string }
/** A product with sockets of its own, and members who use it. */
export type Node = Awaited<ReturnType<typeof startNode>>
type World = Awaited<ReturnType<typeof startWorld>>
/** Time enough to fill all read models. */
const FILLED_MS = 30_000

export const rolesBut = (...roles: string[]): Config['roles'] =>
  new Set([...loadConfig({}).roles].filter((one) => !roles.includes(one)))

/** A product whose log stops, is set back and starts again, as one that is kept elsewhere does by its own tools. */
export async function startRig() {
  let server: Awaited<ReturnType<typeof startLogServer>> | undefined
  const startLog = async (given: Parameters<typeof startLogServer>[0]) => {
    server = await startLogServer(given)
    return server
  }
  const world = await startWorld({ web: false, startLog })
  const nodes: Node[] = []
  const pool = quiet(new pg.Pool(world.stores.database))
  return {
    world,
    pool,
    /** The product and its log stop, and the log starts again, set back to a position where there is one. */
    async restartLog(to?: Position): Promise<void> {
      await world.product.endSockets()
      await world.product.stop()
      for (const node of nodes.splice(0)) await node.stop()
      await server?.stop()
      if (to) {
        const { commit } = fromPosition(to)
        await runIn(world.logDatabase, `delete from log.event where position > ${Number(commit)}`)
        await runIn(world.logDatabase, `delete from log.stream where born > ${Number(commit)}`)
      }
      server = await startLogServer({ database: world.logDatabase })
    },
    async node(roles = rolesBut('reactors'), options: Partial<ProductOptions> = {}): Promise<Node> {
      const node = await startNode(world, server!.connectionString, { ...options, config: { ...world.config, roles } })
      nodes.push(node)
      return node
    },
    /** Nobody fills tables of these read models until the answer is called. */
    async hold(...names: string[]): Promise<() => Promise<void>> {
      let release = () => {}
      const filling = new Promise<void>((resolve) => {
        release = resolve
      })
      const locks = names.map((name) => withRebuildLock(pool, name, () => filling))
      await until('nobody fills them', async () => (await listRebuilding(pool)).size === names.length)
      return async () => {
        release()
        await Promise.all(locks)
      }
    },
    async stop(): Promise<void> {
      for (const node of nodes) await node.stop()
      await pool.end()
      await server?.stop()
      await world.stop()
    },
  }
}
export type Rig = Awaited<ReturnType<typeof startRig>>

type Given = Partial<ProductOptions> & Pick<ProductOptions, 'config'>

async function startProduct(world: World, log: string, options: Given): Promise<Product> {
  const logger = createLogger({ level: 'silent' })
  const given = { stores: { ...world.stores, log }, publicUrl: world.publicUrl, logger, now: () => new Date() }
  const product = await createProduct({ ...given, jobTimes: JOB_TIMES, ...options })
  await product.start()
  return product
}

async function startNode(world: World, log: string, options: Given) {
  const product = await startProduct(world, log, options)
  const ready = () => until('it takes sockets', () => product.live!.ready(), FILLED_MS)
  const web = createServer((_request, response) => response.writeHead(404).end())
  web.on('upgrade', (incoming, socket, head) => product.live?.handleUpgrade(incoming, socket, head))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const peers: Peer[] = []
  return {
    product,
    ...commands(product),
    ready,
    /** Signed in, and sent what it missed. `epoch` is what it was given. */
    async socketOf({ token }: Person, from: From = {}) {
      await ready()
      const peer = new Peer((web.address() as AddressInfo).port, { origin: world.publicUrl })
      peers.push(peer)
      await peer.opened
      peer.send({ type: 'auth', token, ...from })
      const { epoch } = await peer.next('ready')
      await peer.settled()
      return { peer, epoch }
    },
    /** The node knows all that is in the log. */
    async reached(): Promise<void> {
      await ready()
      const head = await product.core.log.head()
      await until('the node is at the end of the log', () => product.live!.stats().head >= head)
    },
    async live(): Promise<void> {
      await until('all are live', () => product.projector!.status().every(({ state }) => state === 'live'))
    },
    async stop(): Promise<void> {
      for (const { ws } of peers) ws.terminate()
      await product.endSockets()
      web.close()
      await product.stop()
    },
  }
}

/** As members decide them, whatever their read models show. */
function commands({ core }: Product) {
  const decide = async ({ id }: Person, command: Record<string, unknown>) => {
    const outcome = await core.dispatch(pairDecider, { at: new Date(), ...command } as PairCommand, as(id))
    if (!outcome.ok) throw new Error(outcome.reason)
  }
  const buzz = (from: Person, to: Person) => decide(from, { type: 'Buzz', from: from.id, to: to.id, via: 'discover' })
  return {
    async match(one: Person, other: Person) {
      await buzz(one, other)
      await buzz(other, one)
    },
    block: (by: Person, target: Person) => decide(by, { type: 'Block', by: by.id, target: target.id }),
    sendMessage: (from: Person, to: Person, text: string) =>
      decide(from, { type: 'SendMessage', message: randomUUID(), from: from.id, to: to.id, text, media: null }),
  }
}

/** Whether what one types comes to the other: each has been answered all that was sent before. */
export async function sees(typist: Peer, other: Peer, roomId: string): Promise<boolean> {
  const had = other.frames.length
  typist.send({ type: 'typing', data: { roomId, on: true } })
  await typist.settled()
  await other.settled()
  return other.frames.slice(had).some((frame) => frame.type === 'signal' && frame.name === 'typing')
}
