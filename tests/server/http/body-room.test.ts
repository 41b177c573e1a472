import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { AppLoadContext } from '@remix-run/node'
import { expect, test } from 'vitest'
import type { Client } from '../../../server/http/client.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { until } from '../../support/until.ts'

const FORM = 'multipart/form-data; boundary=b'
const BYTES = 1_000_000

async function startPort() {
  const contextFor = (request: Request, client: Client) => {
    const [kind, shown] = (request.headers.get('Authorization') ?? '').split(' ')
    if (shown) client.vouch?.(shown, kind === 'Bearer' ? shown : null)
    return { nonce: client.nonce, ip: client.ip } as unknown as AppLoadContext
  }
  const server = await startEcho({ trustProxy: true, contextFor })
  const { host } = new URL(server.url)
  const begin = (address: string, length: number, shown = ''): Socket => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(
      `POST /page HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${FORM}\r\nContent-Length: ${length}\r\n${shown && `Authorization: ${shown}\r\n`}\r\n`,
    )
    return socket
  }
  /** The status of the answer to a whole form. */
  const send = async (address: string, length: number, shown?: string) => {
    const socket = begin(address, length, shown)
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

test('strangers of many networks who fill their share leave members and visitors with a proof theirs', async () => {
  const { begin, send, close } = await startPort()
  const sockets: Socket[] = []
  const fill = (at: number, tries: number) => {
    const socket = begin(`192.0.2.${1 + Math.floor(at / 4)}`, 2 * BYTES)
    if (tries > 1) socket.on('data', () => fill(at, tries - 1))
    socket.write(Buffer.alloc(BYTES, 97))
    sockets.push(socket)
  }
  for (let at = 0; at < 160; at++) fill(at, 5)
  await until('strangers are refused', async () => (await send('198.51.100.1', BYTES)) === '429')
  expect(await send('198.51.100.1', 10_000)).toBe('200')
  expect(await send('198.51.100.1', BYTES, 'Proof visitor')).toBe('200')
  expect(await send('198.51.100.1', BYTES, 'Bearer member')).toBe('200')
  for (const socket of sockets) socket.destroy()
  await until('what they took is free', async () => (await send('198.51.100.1', BYTES)) === '200')
  await close()
})
