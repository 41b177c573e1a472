import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { listFirstNames } from '../../projections/profiles/queries.ts'
import { readRights, readRooms } from '../../projections/view/relationships.ts'
import { createLogSource } from '../../realtime/log-source.ts'
import { createRealtime } from '../../realtime/server.ts'
import { openCore } from '../../server/core.ts'
import { trusting } from '../realtime/no-ports.ts'
import { bundled } from '../support/programs/bundled.ts'

/** What a node of a measurement gets from its environment, as JSON. */
type NodeSetup = { log: string; database: pg.ClientConfig; masterKey: string; origin: string }
/** What a collection left, in bytes, and whom the node knows the rights of. */
export type NodeMemory = { heap: number; resident: number; members: number; accounts: number }
export type MeasuredNode = { port: number; memory(): Promise<NodeMemory>; stop(): void }

const ME = fileURLToPath(import.meta.url)
const SETUP = 'BENCH_NODE'

/** A realtime node as a process of its own, so that its memory is that of nothing else. */
export async function startMeasuredNode(setup: NodeSetup): Promise<MeasuredNode> {
  const child = fork(bundled(ME), [], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, [SETUP]: JSON.stringify(setup) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [port] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(refuse)])) as [number]
  return {
    port,
    async memory() {
      child.send('memory')
      const [memory] = (await once(child, 'message')) as [NodeMemory]
      return memory
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

function refuse(): never {
  throw new Error('The node did not start.')
}

async function runNode({ log, database, masterKey, origin }: NodeSetup): Promise<void> {
  const secrets = { masterKey: Buffer.from(masterKey, 'hex'), emailPepper: 'bench', mediaSecret: 'bench' }
  const core = await openCore({ database, log, secrets })
  const { read } = core.storage
  const realtime = createRealtime({
    source: createLogSource(core.log, core.feed),
    codec: core.codec,
    readRights: (asked) => readRights(read, core.log, asked),
    readRooms: (others) => readRooms(read, core.log, others),
    namesOf: (members) => listFirstNames(read, members),
    ...trusting,
    origins: () => [origin],
  })
  await realtime.start()
  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (incoming, socket, head) => realtime.handleUpgrade(incoming, socket, head))
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.on('message', () => {
    for (let turn = 0; turn < 3; turn++) globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    const { rightsMembers, rightsAccounts } = realtime.stats()
    process.send?.({ heap: heapUsed + external, resident: rss, members: rightsMembers, accounts: rightsAccounts })
  })
  process.on('disconnect', () => process.exit(0))
}

const setup = process.env[SETUP]
if (setup && process.argv[1] === ME) await runNode(JSON.parse(setup))
