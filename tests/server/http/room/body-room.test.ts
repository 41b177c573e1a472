import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { AppLoadContext } from '@remix-run/node'
import { expect, test } from 'vitest'
import type { Client } from '../../../../server/http/client.ts'
import { startEcho } from '../../../support/servers/echo-server.ts'
import { until } from '../../../support/until.ts'

const FORM = 'multipart/form-data; boundary=b'
const BYTES = 1_000_000
/** Of a large form that comes bit by bit. */
const PIECE = 200_000

async function startPort() {
  const contextFor = (request: Request, client: Client) => {
    const [kind, shown] = (request.headers.get('Authorization') ?? '').split(' ')
    if (shown) client.vouch?.(shown, kind === 'Bearer' ? shown : null)
    return { nonce: client.nonce, ip: client.ip } as unknown as AppLoadContext
  }
  const server = await startEcho({ trustProxy: true, contextFor })
  const { host } = new URL(server.url)
  const begin = (address: string, length: number, shown = '', path = '/media-upload'): Socket => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nX-Forwarded-For: ${address}\r\nContent-Type: ${FORM}\r\nContent-Length: ${length}\r\n${shown && `Authorization: ${shown}\r\n`}\r\n`,
    )
    return socket
  }
  /** The status of the answer to a whole form; empty where the connection ends without one. */
  const send = async (address: string, length: number, shown?: string) => {
    const socket = begin(address, length, shown)
    socket.write(Buffer.alloc(length, 97))
    const [head] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
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

test('a call whose body is cut off for others has the one sentence of all calls, and the wait as a number', async () => {
  const { begin, close } = await startPort()
  const answers: string[] = []
  const sockets = Array.from({ length: 24 }, () => {
    const socket = begin('192.0.2.1', 2 * BYTES, '', '/api/upload-media')
    socket.on('data', (answer) => answers.push(String(answer)))
    socket.write(Buffer.alloc(BYTES, 97))
    return socket
  })
  await until('those beyond the share are refused', () => answers.some((answer) => answer.endsWith('}')))
  const [head, body] = answers.find((answer) => answer.endsWith('}'))!.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 429 /)
  expect(head).toMatch(/\r\nretry-after: 5\r\n/i)
  expect(body).toContain('{"error":"Too many requests. Please try again later.","retryInMs":5000}')
  for (const socket of sockets) socket.destroy()
  await close()
})

test('strangers of many networks who fill their share leave room to whoever comes, with a proof, a session or neither', async () => {
  const { begin, send, close } = await startPort()
  const sockets: Socket[] = []
  let refused = 0
  const fill = (at: number, tries: number) => {
    const socket = begin(`192.0.2.${1 + Math.floor(at / 4)}`, 2 * BYTES)
    socket.on('data', () => {
      refused += 1
      if (tries > 1) fill(at, tries - 1)
    })
    socket.write(Buffer.alloc(BYTES, 97))
    sockets.push(socket)
  }
  for (let at = 0; at < 100; at++) fill(at, 5)
  await until('there is no room for more of them', () => refused > 100)
  expect(await send('198.51.100.1', 10_000)).toBe('200')
  expect(await send('198.51.100.1', BYTES)).toBe('200')
  expect(await send('198.51.100.1', BYTES, 'Proof visitor')).toBe('200')
  expect(await send('198.51.100.1', BYTES, 'Bearer member')).toBe('200')
  for (const socket of sockets) socket.destroy()
  await close()
})

test('of many large forms that one address sends at once, as many as there is room for arrive', async () => {
  const { begin, close } = await startPort()
  const forms = Array.from({ length: 60 }, () => {
    const form = { socket: begin('192.0.2.1', 4 * PIECE), status: '' }
    form.socket.on('data', (head) => {
      form.status ||= String(head).slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
    })
    form.socket.once('close', () => {
      form.status ||= 'closed'
    })
    return form
  })
  for (let piece = 0; piece < 4; piece++)
    for (const { socket } of forms) await new Promise((sent) => socket.write(Buffer.alloc(PIECE, 97), sent))
  await until('all are answered', () => forms.every(({ status }) => status !== ''))
  expect(forms.filter(({ status }) => status === '200').length).toBeGreaterThanOrEqual(4)
  for (const { socket } of forms) socket.destroy()
  await close()
})
