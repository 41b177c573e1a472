import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:http'
import { listenMore } from '../../../server/http/listen-more.ts'

/** Listens on more handles while no descriptor is left, then serves one request, and prints the answer. */
const server = createServer((_, answer) => void answer.end('here'))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // None is left.
}
await listenMore(server).catch(() => undefined)
// What an error of a child would end, it ends by then.
await new Promise((resolve) => setImmediate(resolve))
for (const one of taken) closeSync(one)
const { port } = server.address() as { port: number }
process.stdout.write(await (await fetch(`http://127.0.0.1:${port}`, { headers: { Connection: 'close' } })).text())
server.close()
