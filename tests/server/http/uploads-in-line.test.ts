import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { RawHandler } from '../../../server/http/handler.ts'
import { readUploadForm } from '../../../services/media/form.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { streamed } from '../../services/support/forms.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { openable } from '../../support/servers/openable.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { until } from '../../support/until.ts'

const IDLE_MS = 100
const TYPE = 'Content-Type: multipart/form-data; boundary=b'
const FIRST = '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nphoto\r\n'
const LAST = '--b--\r\n'

type Limits = { readonly idleMs?: number; readonly silentMs?: number }

/** The beginning of the answer, or that there is none. */
const answerOn = (socket: Socket): Promise<string> =>
  Promise.race([once(socket, 'data').then(String), once(socket, 'close').then(() => 'closed')])

/** A port whose forms at `/form` are read, each of which may be silent for so long, and those at `/gate` wait for the test. */
async function startPort({ idleMs = 60_000, silentMs = 60_000 }: Limits) {
  const gate = openable()
  const read: string[] = []
  const seen = { waiting: 0, reading: 0 }
  const { withDrafts } = createFileStore(tempDir(), { own: 'own', isLeft: () => false })
  const readForm = (request: Request, idleMs: number) =>
    withDrafts((newDraft) => readUploadForm(request, { purposeOf: () => 'undecided', newDraft, idleMs }))
  const forms: RawHandler = async (request) => {
    if (request.url.endsWith('/gate')) {
      seen.waiting += 1
      await gate.opened
      return new Response('now')
    }
    if (!request.url.endsWith('/form')) return null
    seen.reading += 1
    const form = await readForm(request, silentMs)
    read.push(form.ok ? 'read' : form.reason)
    return new Response('done')
  }
  const server = await startEcho({ raw: [forms], trustProxy: true, turnMs: 60_000, idleMs })
  const { host } = new URL(server.url)
  const send = (path: string, address: string, ...body: string[]) => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    const length = FIRST.length + LAST.length
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nX-Forwarded-For: ${address}\r\n${TYPE}\r\nContent-Length: ${length}\r\n\r\n`,
    )
    for (const piece of body) socket.write(piece)
    return socket
  }
  /** The one turn of strangers' files is taken until the gate opens. */
  const takeTurn = async () => {
    send('/gate', '192.0.2.1', FIRST, LAST)
    await until('the turn is taken', () => seen.waiting === 1)
  }
  /** Until others, one after the other, were cut off because they were silent for as long as they may. */
  const wait = async () => {
    for (let times = 0; times < 3; times++) {
      const { request } = streamed(Buffer.from(FIRST), () => new Promise<null>(() => undefined))
      expect(await readForm(request, IDLE_MS)).toMatchObject({ reason: 'upload-failed' })
    }
  }
  return { gate, seen, read, send, takeTurn, wait, close: () => server.close() }
}

test('a form that has come is not cut off while its end waits for a turn', async () => {
  const { gate, seen, read, send, takeTurn, wait, close } = await startPort({ silentMs: IDLE_MS })
  const socket = send('/form', '192.0.2.2')
  await until('it is read', () => seen.reading === 1)
  socket.write(FIRST)
  await takeTurn()
  const answer = answerOn(socket)
  socket.write(LAST)
  await wait()
  expect(read).toEqual([])
  gate.open()
  expect(await answer).toContain('HTTP/1.1 200')
  expect(read).toEqual(['read'])
  socket.destroy()
  await close()
})

test('a form that has come but for its end is cut off while its sender is silent', async () => {
  const { seen, read, send, close } = await startPort({ silentMs: IDLE_MS })
  const socket = send('/form', '192.0.2.2', FIRST, LAST.slice(0, -2))
  await until('it is read', () => seen.reading === 1)
  await until('it is cut off', () => read.length === 1)
  expect(read).toEqual(['upload-failed'])
  socket.destroy()
  await close()
})

test.each([
  ['that has come', [FIRST, LAST]],
  ['of which the rest is not read yet', [FIRST]],
])('the connection of a form %s is not closed while it waits for a turn', async (_what, body) => {
  const { gate, read, send, takeTurn, wait, close } = await startPort({ idleMs: IDLE_MS })
  await takeTurn()
  const socket = send('/form', '192.0.2.2', ...body)
  const answer = answerOn(socket)
  await wait()
  gate.open()
  if (body.length === 1) socket.write(LAST)
  expect(await answer).toContain('HTTP/1.1 200')
  expect(read).toEqual(['read'])
  socket.destroy()
  await close()
})

test('the connection of a form whose end waits for a turn is not closed', async () => {
  const { gate, seen, read, send, takeTurn, wait, close } = await startPort({ idleMs: IDLE_MS })
  const socket = send('/form', '192.0.2.2')
  await until('it is read', () => seen.reading === 1)
  socket.write(FIRST)
  await takeTurn()
  const answer = answerOn(socket)
  socket.write(LAST)
  await wait()
  gate.open()
  expect(await answer).toContain('HTTP/1.1 200')
  expect(read).toEqual(['read'])
  socket.destroy()
  await close()
})

test('whoever is silent once it is their turn is cut off', async () => {
  const { gate, seen, read, send, takeTurn, wait, close } = await startPort({ idleMs: IDLE_MS })
  await takeTurn()
  const socket = send('/form', '192.0.2.2', FIRST)
  const closed = once(socket, 'close')
  socket.resume()
  await wait()
  expect(socket.closed).toBe(false)
  gate.open()
  await until('it is read', () => seen.reading === 1)
  await closed
  await until('it is given up', () => read.length === 1)
  expect(read).toEqual(['upload-failed'])
  await close()
})
