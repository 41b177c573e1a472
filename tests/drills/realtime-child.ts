import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { START } from '../../domain/shared/recorded.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openLog } from '../../eventstore/log.ts'
import { createLogSource } from '../../realtime/log-source.ts'
import { createRealtime } from '../../realtime/server.ts'
import { noRooms, trusting } from '../realtime/no-ports.ts'
import { bundled } from '../support/programs/bundled.ts'

/** What a realtime node of a drill gets from its environment, as JSON. */
export type NodeSetup = { log: string; database: pg.ClientConfig; masterKey: string; port: number; origin: string }
export type NodeProcess = { port: number; kill(): Promise<void> }

const ME = fileURLToPath(import.meta.url)
const SETUP = 'DRILL_NODE'
const READY = 'listening on'

/** A realtime node as a process of its own, to be killed without warning. */
export async function startNodeProcess(setup: NodeSetup): Promise<NodeProcess> {
  const child = fork(bundled(ME), [], {
    execArgv: [],
    env: { ...process.env, [SETUP]: JSON.stringify(setup) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const port = await listening(child)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return { port, kill }
}

async function listening(child: ChildProcess): Promise<number> {
  const output: string[] = []
  child.stderr?.on('data', (text) => output.push(String(text)))
  for await (const line of createInterface({ input: child.stdout! })) {
    if (line.startsWith(READY)) return Number(line.slice(READY.length))
  }
  throw new Error(`The node did not start: ${output.join('')}`)
}

async function runNode({ log: connectionString, database, masterKey, port, origin }: NodeSetup): Promise<void> {
  const log = openLog({ connectionString })
  const keys = createKeyRing(new pg.Pool(database), Buffer.from(masterKey, 'hex'))
  const realtime = createRealtime({
    source: createLogSource(log),
    codec: createCodec(keys),
    readRights: async () => ({ relationsAt: START, accountsAt: START, matched: [], blocked: [], out: [] }),
    readRooms: noRooms,
    namesOf: async () => new Map(),
    ...trusting,
    origins: () => [origin],
  })
  await realtime.start()
  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (incoming, socket, head) => realtime.handleUpgrade(incoming, socket, head))
  server.listen(port, '127.0.0.1', () => {
    console.log(`${READY} ${(server.address() as { port: number }).port}`)
  })
  process.on('disconnect', () => process.exit(0))
}

const setup = process.env[SETUP]
if (setup && process.argv[1] === ME) await runNode(JSON.parse(setup))
