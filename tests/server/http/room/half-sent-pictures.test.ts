import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RawHandler } from '../../../../server/http/handler.ts'
import { OPEN_BYTES } from '../../../../server/http/room/body.ts'
import { BodyRoom, type BodyRoomOptions } from '../../../../server/http/room/body-room.ts'
import { networkOf } from '../../../../services/limits/network.ts'
import { type DraftCaps, DraftRoom } from '../../../../services/media/draft-room.ts'
import { readUploadForm } from '../../../../services/media/form.ts'
import { createFileStore } from '../../../../services/media/store.ts'
import { draftsIn } from '../../../services/support/forms.ts'
import { jpeg } from '../../../services/support/pictures.ts'
import { startEcho } from '../../../support/servers/echo-server.ts'
import { tempDir } from '../../../support/temp-dir.ts'
import { until } from '../../../support/until.ts'

const KIB = 1024
/** Of which visitors have a quarter: four bodies of a network are on their way, eight of all. */
const CAPS = { holder: 16 * OPEN_BYTES, network: 16 * OPEN_BYTES, total: 32 * OPEN_BYTES }
const HEAD = '--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nphoto\r\n'
const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
const END = '\r\n--b--\r\n'

type Sent = { readonly socket: Socket; answer: string }
const received = ({ answer }: Sent) => answer.includes('HTTP/1.1 200') && answer.includes('received')

/** A port at which visitors send pictures, each with the proof of their network. */
async function startPort(lowered: Pick<BodyRoomOptions, 'caps' | 'disk'>, disk?: DraftCaps) {
  const root = tempDir()
  const { withDrafts } = createFileStore(join(root, 'media'), { own: 'own', isLeft: () => false }, new DraftRoom(disk))
  const receive: RawHandler = (request, { ip, vouch, toDisk }) => {
    const holder = `proof of ${ip}`
    vouch?.(holder)
    const sender = { holder, network: networkOf(ip), isVisitor: true, toDisk }
    return withDrafts(async (newDraft) => {
      const form = await readUploadForm(request, { purposeOf: () => 'photo', newDraft })
      return new Response(form.ok ? 'received' : form.reason)
    }, sender)
  }
  const server = await startEcho({ raw: [receive], trustProxy: true, room: new BodyRoom(lowered) })
  const { host } = new URL(server.url)
  const start = (await jpeg(1200, 900)).subarray(0, 8 * KIB)
  /** The first bytes of a picture of so many. */
  const begin = (address: string, bytes: number): Sent => {
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    const length = HEAD.length + FILE.length + bytes + END.length
    socket.write(
      `POST /media-upload HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${server.url}\r\nX-Forwarded-For: ${address}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n${HEAD}${FILE}`,
    )
    socket.write(start)
    const sent = { socket, answer: '' }
    socket.on('data', (text) => {
      sent.answer += String(text)
    })
    return sent
  }
  /** All but the end, of so many from each of these networks. */
  const half = (networks: number, each: number, bytes: number): Sent[] =>
    Array.from({ length: networks * each }, (_, n) => {
      const sent = begin(`192.0.2.${1 + (n % networks)}`, bytes)
      sent.socket.write(Buffer.alloc(bytes - start.length, 1))
      return sent
    })
  const end = ({ socket }: Sent, bytes: number) => {
    socket.write(Buffer.alloc(bytes - start.length, 1))
    socket.write(END)
  }
  /** Of drafts of so many bytes. */
  const onDisk = (bytes: number) => draftsIn(join(root, 'media')).filter((size) => size > bytes - 2 * KIB).length
  return { begin, half, end, onDisk, close: () => server.close() }
}
const answered = (all: readonly Sent[]) => all.filter(({ answer }) => answer !== '')

test('pictures of many networks that do not end keep no visitor of another from sending one', async () => {
  const { begin, half, end, onDisk, close } = await startPort({ caps: CAPS })
  const size = 300 * KIB
  const slow = begin('198.51.100.1', size)
  await until('it has begun', () => onDisk(8 * KIB) === 1)
  const all = half(2, 5, size)
  await until('there is no room for more of them', () => answered(all).length >= 2 && onDisk(size) >= 7)
  const next = begin('198.51.100.2', size)
  end(next, size)
  await until('the next is answered', () => next.answer !== '')
  expect(next.answer).toContain('received')
  end(slow, size)
  await until('the slow one is answered', () => slow.answer !== '')
  expect(slow.answer).toContain('received')
  for (const { answer } of answered(all)) expect(answer).toContain('HTTP/1.1 429')
  expect(all.length - answered(all).length).toBeGreaterThanOrEqual(6)
  for (const { socket } of [slow, next, ...all]) socket.destroy()
  await close()
})

test('pictures of many networks that fill the disk’s share and do not end keep no visitor of another from sending one', async () => {
  const { begin, half, end, onDisk, close } = await startPort({ disk: CAPS }, CAPS)
  const size = 100 * KIB
  const all = half(4, 8, size)
  await until('there is no room for more of them', () => answered(all).length > 0 && onDisk(size) >= 16)
  for (let n = 1; n <= 3; n++) {
    const next = begin(`198.51.100.${n}`, 3 * size)
    end(next, 3 * size)
    await until('the next is answered', () => next.answer !== '')
    expect(next.answer).toContain('received')
    next.socket.destroy()
  }
  for (const { socket } of all) socket.destroy()
  await close()
})

test('bytes that are on disk take no memory of their network’s share', async () => {
  const { half, close } = await startPort({ caps: CAPS })
  const all = half(1, 3, 700 * KIB)
  for (const { socket } of all) socket.write(END)
  await until('all are answered', () => answered(all).length === all.length)
  expect(all.map(received)).toEqual([true, true, true])
  for (const { socket } of all) socket.destroy()
  await close()
})
