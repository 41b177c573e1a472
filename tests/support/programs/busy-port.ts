import { createServer } from 'node:http'
import { listen } from '../../../server/http/listen.ts'

/** Listens as the product does, prints the port, and takes nothing while it is stopped. */
const server = createServer((_, answer) => void answer.end('here'))
process.stdout.write(`${await listen(server, 0, '127.0.0.1')}\n`)
