import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { type LogServer, startLogServer } from '../../eventstore/embedded/server.ts'
import { type Postgres, startPostgres } from '../postgres/launcher.ts'

const LOG_DATABASE = 'log'
const LARGEST_PORT = 65_535

const HELP = `Usage: npm run log -- [--port <number>] [--help]

Starts the embedded log server alone, until Ctrl-C. It speaks EventStoreDB's protocol on 127.0.0.1.

  --port <number>   where to listen; 0 takes a free port (default: LOG_PORT, else 2113)
  --help            this text

DATABASE_URL      keeps the events in this Postgres database instead of the embedded one
DATA_DIR          folder of the embedded Postgres (default: ./data)`

type Home = { database: pg.ClientConfig; postgres?: Postgres }

async function openHome(): Promise<Home> {
  const { DATABASE_URL: url, DATA_DIR: dataDir = './data' } = process.env
  if (url) return { database: { connectionString: url } }
  const postgres = await startPostgres({
    dataDir: resolve(dataDir, 'postgres'),
    log: (level, text) => {
      if (level !== 'debug') console.log(text)
    },
  })
  await postgres.createDatabase(LOG_DATABASE)
  return { database: postgres.clientConfig(LOG_DATABASE), postgres }
}

function portFrom(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= LARGEST_PORT) return port
  throw new Error(`"${text}" is not a port. Give a number from 0 to ${LARGEST_PORT}.`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' }, help: { type: 'boolean' } } })
  if (values.help) return console.log(HELP)
  const port = portFrom(values.port ?? process.env.LOG_PORT ?? '2113')
  const { database, postgres } = await openHome()
  let server: LogServer
  try {
    server = await startLogServer({ database, port })
  } catch (error) {
    await postgres?.stop()
    throw error
  }
  console.log(`The log is at ${server.connectionString}`)
  const stop = async () => {
    await server.stop()
    await postgres?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
