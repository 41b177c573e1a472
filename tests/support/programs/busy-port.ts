import { createServer } from 'node:http'
import { listen } from '../../../server/http/listen.ts'
import { listenMore } from '../../../server/http/listen-more.ts'

/** Listens as the product does, prints the port, and takes nothing while it is stopped. */
const server = createServer((_, answer) => void answer.end('here'))
const port = await listen(server, 0, '127.0.0.1')
await listenMore(server)
process.stdout.write(`${port}\n`)
