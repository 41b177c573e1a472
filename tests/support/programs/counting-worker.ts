import { writeSync } from 'node:fs'
import { createServer } from 'node:net'
import { listen } from '../../../server/http/listen.ts'
import { listenMore } from '../../../server/http/listen-more.ts'

/** Listens as a worker does, counts rounds of its event loop, and prints in which of them it takes each connection. */
const print = (line: object) => writeSync(1, `${JSON.stringify({ pid: process.pid, ...line })}\n`)
let round = 0
const count = () => {
  round++
  setImmediate(count)
}
const server = createServer((socket) => {
  print({ round })
  socket.on('error', () => undefined).end('here')
})
const port = await listen(server, 0, '127.0.0.1')
await listenMore(server).catch(() => undefined)
count()
print({ port })
