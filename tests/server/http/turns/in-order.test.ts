import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startEcho } from '../../../support/servers/echo-server.ts'
import { openable } from '../../../support/servers/openable.ts'
import { until } from '../../../support/until.ts'

const LENGTH = 100_000

/** A port with a file, which is closed behind whatever else its threads do, and a form. */
async function serve() {
  const gate = openable()
  const seen = { read: 0, waits: 0 }
  const server = await startEcho({
    raw: [
      async (request) => {
        if (request.method === 'POST') return new Response('!', { status: 201 })
        if (request.url.endsWith('/wait')) {
          seen.waits += 1
          return new Promise<Response>(() => undefined)
        }
        const file = new ReadableStream({
          async pull(controller) {
            seen.read += 1
            if (seen.read === 1) return controller.enqueue(new Uint8Array(LENGTH))
            await gate.opened
            if (seen.read === 2) controller.close()
          },
        })
        return new Response(file, { headers: { 'Content-Length': String(LENGTH) } })
      },
    ],
  })
  onTestFinished(() => server.close())
  return { server, seen, gate }
}

/** Reads one answer with a body of that length; null where the connection is closed before. */
function answerOf(socket: ReturnType<typeof connect>, length: number): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (part) => {
      text += part.toString('latin1')
      const at = text.indexOf('\r\n\r\n')
      if (at >= 0 && text.length >= at + 4 + length) resolve(text.slice(9, 12))
    })
    socket.once('close', () => resolve(null))
  })
}

test.each([
  ['Content-Length: 40000', 'x'.repeat(40_000)],
  ['Transfer-Encoding: chunked', '1\r\nx\r\n0\r\n\r\n'],
])('what is sent after a whole answer is in order, though its file is not closed yet: %s', async (line, body) => {
  const { server, seen, gate } = await serve()
  const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const first = answerOf(socket, LENGTH)
  socket.write('GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await first).toBe('200')
  socket.removeAllListeners('data')
  const second = answerOf(socket, 1)
  socket.write(
    `POST /form HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\nOrigin: ${server.url}\r\n${line}\r\n\r\n${body}`,
  )
  await until('the end of the file is asked for', () => seen.read === 2)
  for (let round = 0; round < 200; round++) await new Promise(setImmediate)
  gate.open()
  expect(await second).toBe('201')
})

test('a body without a length that was in order leaves the bound of what waits behind it', async () => {
  const { server, seen, gate } = await serve()
  const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const head = `Host: ${new URL(server.url).host}\r\nOrigin: ${server.url}\r\n`
  const first = answerOf(socket, LENGTH)
  socket.write(`GET /file HTTP/1.1\r\n${head}\r\n`)
  expect(await first).toBe('200')
  socket.removeAllListeners('data')
  const second = answerOf(socket, 1)
  socket.write(`POST /form HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`)
  await until('the end of the file is asked for', () => seen.read === 2)
  for (let round = 0; round < 200; round++) await new Promise(setImmediate)
  gate.open()
  expect(await second).toBe('201')
  socket.write(`GET /wait HTTP/1.1\r\n${head}\r\n`)
  await until('it has begun', () => seen.waits === 1)
  socket.write(`POST /form HTTP/1.1\r\n${head}Content-Length: 15000\r\n\r\n${'x'.repeat(15_000)}`)
  await until('it is closed', () => socket.resume().closed)
})

test('a body behind too many lines ends the connection where it would have to wait', async () => {
  const { server } = await serve()
  const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const lines = Array.from({ length: 101 }, (_, n) => `A${n}: 1\r\n`).join('')
  const hidden = `POST /form HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Length: 64000\r\n\r\n${'x'.repeat(1_000)}`
  socket.write(`GET /file HTTP/1.1\r\nHost: localhost\r\n\r\n${hidden}`)
  await until('it is closed', () => socket.resume().closed)
})
