import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { startEcho } from '../../support/servers/echo-server.ts'
import { until } from '../../support/until.ts'

const FORM = 'multipart/form-data; boundary=b'
const BYTES = 1_000_000

async function startPort() {
  const server = await startEcho({ trustProxy: true })
  const { host } = new URL(server.url)
  const begin = (address: string, length: number): Socket => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(
      `POST /page HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${FORM}\r\nContent-Length: ${length}\r\n\r\n`,
    )
    return socket
  }
  /** The status of the answer to a whole form. */
  const send = async (address: string, length: number) => {
    const socket = begin(address, length)
    socket.write(Buffer.alloc(length, 97))
    const [head] = await once(socket, 'data')
    socket.destroy()
    return String(head).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
  }
  return { begin, send, close: () => server.close() }
}

test('forms that do not end take the memory of their network’s share, and leave others theirs', async () => {
  const { begin, send, close } = await startPort()
  const answers: string[] = []
  const sockets = Array.from({ length: 24 }, () => {
    const socket = begin('192.0.2.1', 2 * BYTES)
    socket.on('data', (head) => answers.push(String(head).slice(0, 'HTTP/1.1 429'.length)))
    socket.write(Buffer.alloc(BYTES, 97))
    return socket
  })
  await until('those beyond the share are refused', () => answers.length >= 6)
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 429']))
  expect(await send('192.0.2.1', 10_000)).toBe('200')
  expect(await send('198.51.100.1', BYTES)).toBe('200')
  for (const socket of sockets) socket.destroy()
  await until('what they took is free', async () => (await send('192.0.2.1', BYTES)) === '200')
  await close()
})
