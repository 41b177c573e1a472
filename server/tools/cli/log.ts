import { loadLogConfig } from '../../config.ts'
import { scavengeLog } from '../../embedded/log/scavenge.ts'
import { serveLog } from '../../embedded/log/serve.ts'
import { runCommand, UsageError } from './support/command.ts'

const LARGEST_PORT = 65_535

const HELP = `
Usage: npm run log -- [<command>] [--port <number>] [--dry-run]

The embedded log server alone. It speaks EventStoreDB's protocol.

  (no command)      starts it, until Ctrl-C
  scavenge          takes events that no reader sees any more out of the storage for good: of deleted and ended streams,
                    and what $maxCount, $maxAge and $tb hide. Works beside a running product and without one; readers
                    and writers go on meanwhile, positions and revisions stay
  --port <number>   where to listen; 0 takes a free port (default: LOG_PORT, else 2113)
  --dry-run         scavenge counts and takes nothing
  --help            this text

LOG_HOST          where to listen (default: 127.0.0.1); another address wants TLS and users
LOG_TLS_CERT      certificate and key as PEM files: connections are encrypted
LOG_TLS_KEY
LOG_TLS_CA        what clients trust (default: the certificate itself)
LOG_USERS         name:password, and more of them separated by commas; nobody else gets in
DATABASE_URL      keeps the events in this Postgres database instead of the embedded one
EVENTSTORE_URL    for scavenge: the server that runs on that database
DATA_DIR          folder of the embedded Postgres (default: ./data)
APP_MODE          production: does not run as root, and wants TLS of databases and logs on other machines
PLAINTEXT_HOSTS   hosts that production may speak to without TLS, separated by commas`

function portFrom(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= LARGEST_PORT) return port
  throw new UsageError(`"${text}" is not a port. Give a number from 0 to ${LARGEST_PORT}.`)
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

await runCommand({
  help: HELP,
  options: { port: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  words: { least: 0, most: 1 },
  async run({ values: { port, 'dry-run': dryRun = false }, words: [command] }) {
    if (command === 'scavenge') print(await scavengeLog(loadLogConfig(process.env), dryRun))
    else if (command !== undefined) throw new UsageError(`There is no command "${command}".`)
    else await serveLog(loadLogConfig(process.env), portFrom(port ?? process.env.LOG_PORT ?? '2113'), print)
    return undefined
  },
})
