import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { holdToDocument, letGo, takeComplaints } from '../support/described/hold.ts'
import { HalfOpen } from '../support/servers/half-open.ts'

/** A port that answers whatever comes with these bytes, and closes. */
async function answering(text: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(text)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://localhost:${port}`
  holdToDocument(url)
  onTestFinished(() => {
    letGo(url)
    server.close()
  })
  return port
}

const GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\nX-Request-Id: one\r\n'
const WRONG = '{"ok":true,"secret":"1234"}'
const complaint = expect.stringContaining("must NOT have additional properties ('secret')")

async function complaintsOf(asked: string, answered: string): Promise<string[]> {
  const one = await HalfOpen.to(await answering(answered))
  one.send(asked)
  await one.answer
  one.close()
  return takeComplaints()
}

test.each([
  ['by its length', `${HEAD}Content-Length: ${WRONG.length}\r\n\r\n${WRONG}`],
  [
    'in chunks',
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\n${WRONG.slice(0, 3)}\r\n18\r\n${WRONG.slice(3)}\r\n0\r\n\r\n`,
  ],
  ['to the end', `${HEAD}\r\n${WRONG}`],
  ['after a word that it may go on', `HTTP/1.1 100 Continue\r\n\r\n${HEAD}\r\n${WRONG}`],
])('an answer that comes over a connection of its own, %s, is checked against the document', async (_how, answered) => {
  expect(await complaintsOf(GET, answered)).toEqual([complaint])
})

test('each of several is checked, and once', async () => {
  const answer = `${HEAD}Content-Length: ${WRONG.length}\r\n\r\n${WRONG}`
  const one = await HalfOpen.to(await answering(answer + answer))
  one.send(GET + GET)
  await one.hears('secret')
  await one.answer
  one.close()
  expect(takeComplaints()).toEqual([complaint, complaint])
})

test.each([
  ['a part of an answer', `${HEAD}Content-Length: 99\r\n\r\n${WRONG}`],
  ['chunks without their end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1b\r\n${WRONG}\r\n`],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n'],
  ['nothing', ''],
])('%s is not looked at', async (_what, answered) => {
  expect(await complaintsOf(GET, answered)).toEqual([])
})
