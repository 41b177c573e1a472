import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { RawHandler } from '../../../server/http/handler.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { openable } from '../../support/servers/openable.ts'
import { until } from '../../support/until.ts'

const AT_ONCE = 2

test('who sends no body yet holds no turn', async () => {
  const server = await startEcho({ turnMs: 60_000 })
  // From the site itself: from elsewhere it would be refused at once.
  const { host } = new URL(server.url)
  const silent = Array.from({ length: 20 }, () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(`POST /page HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nContent-Length: 9\r\n\r\n`)
    return socket
  })
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  expect((await fetch(`${server.url}/page`)).status).toBe(200)
  for (const socket of silent) socket.destroy()
  await server.close()
})

test('work before a body that nobody reads has its turn', async () => {
  const gate = openable()
  let begun = 0
  const raw: RawHandler[] = [
    async () => {
      begun += 1
      await gate.opened
      return new Response('now')
    },
  ]
  const server = await startEcho({ raw, turnMs: 60_000 })
  const { host } = new URL(server.url)
  const silent = Array.from({ length: 20 }, () => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(
      `POST /page HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n`,
    )
    return socket
  })
  await until('as many as may have begun', () => begun === AT_ONCE)
  for (let rounds = 0; rounds < 50; rounds++) await new Promise(setImmediate)
  expect(begun).toBe(AT_ONCE)
  gate.open()
  await until('all are answered', () => begun === 20)
  for (const socket of silent) socket.destroy()
  await server.close()
})

test.each([
  ['comes later', 'Content-Length: 4', ['body'], 'body', 200],
  ['is broken off', 'Transfer-Encoding: chunked', Array(300).fill('1\r\na\r\n'), 'broken', 400],
])('what is done with a body that %s has its turn, too', async (_how, header, pieces, found, status) => {
  const gate = openable()
  const read: string[] = []
  let begun = 0
  const raw: RawHandler[] = [
    async (request) => {
      if (request.url.endsWith('/gate')) {
        begun += 1
        await gate.opened
        return new Response('now')
      }
      read.push(await request.text().catch(() => 'broken'))
      return new Response('read')
    },
  ]
  const server = await startEcho({ raw, trustProxy: true, turnMs: 60_000 })
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  const answer = once(socket, 'data')
  const { host } = new URL(server.url)
  socket.write(`POST /page HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\n${header}\r\n\r\n`)
  const crowd = ['192.0.2.1', '192.0.2.2'].flatMap((address) =>
    Array.from({ length: 9 }, () => fetch(`${server.url}/gate`, { headers: { 'X-Forwarded-For': address } })),
  )
  await until('as many as may have begun', () => begun === 2 * AT_ONCE)
  for (const piece of pieces) socket.write(piece)
  expect((await fetch(`${server.url}/gate`, { signal: AbortSignal.timeout(100) }).catch(() => null))?.status).toBe(
    undefined,
  )
  expect(read).toEqual([])
  gate.open()
  await Promise.all(crowd)
  expect([String((await answer)[0]).includes(`HTTP/1.1 ${status}`), read]).toEqual([true, [found]])
  socket.destroy()
  await server.close()
})

test('a form that has come whole and waits for its turn stays, whoever of its network sends on', async () => {
  const gate = openable()
  let begun = 0
  const raw: RawHandler[] = [
    async (request) => {
      if (!request.url.endsWith('/gate')) return new Response(`Got ${(await request.text()).length}.`)
      begun += 1
      await gate.opened
      return new Response('now')
    },
  ]
  const server = await startEcho({ raw, trustProxy: true, turnMs: 60_000 })
  const { host } = new URL(server.url)
  const post = (length: number, type: string, first: string): { socket: Socket; answer: string } => {
    const sent = { socket: connect({ port: server.port, host: '127.0.0.1' }), answer: '' }
    sent.socket.on('error', () => undefined)
    sent.socket.on('data', (text) => {
      sent.answer += String(text)
    })
    sent.socket.write(
      `POST /media-upload HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nX-Forwarded-For: 203.0.113.1\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${first}`,
    )
    return sent
  }
  const others = Array.from({ length: 12 }, () => post(2_000_000, 'multipart/form-data; boundary=b', 'x'.repeat(1_000)))
  const form = post(400, 'application/x-www-form-urlencoded', 'email=ann')
  const rounds = async () => {
    for (let round = 0; round < 50; round++) await new Promise(setImmediate)
  }
  await rounds()
  const crowd = ['192.0.2.1', '192.0.2.2'].flatMap((address) =>
    Array.from({ length: 2 }, () => fetch(`${server.url}/gate`, { headers: { 'X-Forwarded-For': address } })),
  )
  await until('as many as may have begun', () => begun === 2 * AT_ONCE)
  form.socket.write('y'.repeat(391))
  await rounds()
  for (const { socket } of others) socket.write('x'.repeat(600_000))
  await until('some of the others are cut off', () => others.some(({ answer }) => answer !== ''))
  await rounds()
  expect(form.answer).toBe('')
  gate.open()
  await Promise.all(crowd)
  await until('the form is answered', () => form.answer.includes('Got 400.'))
  for (const { socket } of [form, ...others]) socket.destroy()
  await server.close()
})
