import { connect as connectPlain, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { Connection } from '../../../realtime/connection.ts'
import { LIMITS, memberCaps } from '../../../realtime/limits.ts'
import { CONNECTION_CAPS } from '../../../server/http/connection-caps.ts'
import { limitsAddressOf } from '../../../server/workers/apart/address.ts'
import { HANDSHAKE_MS, hostLimits, WAITING_MOST } from '../../../server/workers/apart/host.ts'
import { createLines } from '../../../server/workers/apart/line.ts'
import { type LimitsLink, linkLimits } from '../../../server/workers/apart/link.ts'
import { createLogger } from '../../../services/log.ts'
import { DRAFT_CAPS } from '../../../services/media/draft-room.ts'
import { freePort } from '../../drills/program-child.ts'
import { until } from '../../support/until.ts'

const logger = createLogger({ level: 'silent' })
const SECRET = 'a secret that all processes know'
const MIB = 1024 * 1024
type Closable = { close(): Promise<void> }
const closedAfter = <T extends Closable>(one: T): T => {
  onTestFinished(() => one.close())
  return one
}
const addressOf = async () => ({ host: '127.0.0.1', port: await freePort() })
const host = (address: Awaited<ReturnType<typeof addressOf>>) =>
  closedAfter(hostLimits({ address, mediaSecret: SECRET }))
const link = async (address: Awaited<ReturnType<typeof addressOf>>, mediaSecret = SECRET) =>
  closedAfter(await linkLimits({ address, mediaSecret, logger }))

let windows = 0
/** Whether both count the same: what one takes is gone for the other. */
async function together(one: LimitsLink, two: LimitsLink): Promise<boolean> {
  const of = { keyPrefix: `TEST${windows++}/60`, points: 1, duration: 60 }
  const [first, second] = [one.shared.counter(of), two.shared.counter(of)]
  await first.consume('ann')
  return second.consume('ann').then(
    () => false,
    () => true,
  )
}

test('an address is host:port', () => {
  expect(limitsAddressOf('127.0.0.1:3900')).toEqual({ host: '127.0.0.1', port: 3900 })
  expect(limitsAddressOf('[::1]:3900')).toEqual({ host: '::1', port: 3900 })
  expect(limitsAddressOf('limits.internal:1')).toEqual({ host: 'limits.internal', port: 1 })
  for (const text of ['3900', 'host', 'host:0', 'host:65536', 'http://host:1', '::1:3900', ''])
    expect(limitsAddressOf(text)).toBeNull()
})

test('lines come whole, however they are cut, and one without an end is too long', () => {
  const lines: string[] = []
  const take = createLines((line) => void lines.push(line), 8)
  for (const piece of ['a', 'b\nc\n\nd', '€\n', '1234567']) take(Buffer.from(piece))
  expect(lines).toEqual(['ab', 'c', '', 'd€'])
  expect(() => take(Buffer.from('89'))).toThrow('too long')
})

test('who does not know the secret is counted alone, and hears nothing', async () => {
  const address = await addressOf()
  host(address)
  const [one, two] = [await link(address), await link(address)]
  expect(await together(one, two)).toBe(true)
  const stranger = await link(address, 'another secret of the same length')
  expect(await together(one, stranger)).toBe(false)
  const plain = connect({ ...address, rejectUnauthorized: false })
  await expect(
    new Promise((resolve, reject) => plain.once('secureConnect', resolve).once('error', reject)),
  ).rejects.toThrow()
})

test('of processes that share an address one counts, and another one when it ends; without any each counts alone', async () => {
  const address = await addressOf()
  const first = host(address)
  const [one, two] = [await link(address), await link(address)]
  expect(await together(one, two)).toBe(true)
  const second = host(address)
  await first.close()
  await until('the second counts', () => together(one, two))
  await second.close()
  await until('nobody does', async () => !(await together(one, two)))
  expect(await one.shared.hashTurns(async () => 'hashed', 'home')).toBe('hashed')
  expect(await one.shared.mediaTurns.inTurn('ann', async () => 'parsed')).toBe('parsed')
  const taken = one.shared.draftRoom.enter({ holder: 'ann', network: 'home', isVisitor: false })
  expect(await taken.take(DRAFT_CAPS.holder)).toBe(true)
  expect(await taken.take(1)).toBe(false)
})

test('what is open at one when another begins to count is counted there', async () => {
  const address = await addressOf()
  const first = host(address)
  const [one, two] = [await link(address), await link(address)]
  const sockets = Array.from({ length: memberCaps(LIMITS).perGroup }, () => ({}) as Connection)
  const gone: Connection[] = []
  const members = one.shared.countSockets('members', memberCaps(LIMITS), (socket) => void gone.push(socket))
  for (const socket of sockets) members.add(socket, 'ann')
  const dropped: Socket[] = []
  const connections = one.shared.connections((socket) => void dropped.push(socket))
  const open = Array.from({ length: CONNECTION_CAPS.perNetwork }, () => ({}) as Socket)
  for (const socket of open) connections.enter(socket, '192.0.2.1')
  connections.vouch(open[0]!, 'ann')
  connections.asked(open[1]!, 1)
  const sender = { holder: 'ann', network: '192.0.2.1', isVisitor: false }
  expect(await one.shared.draftRoom.enter(sender).take(DRAFT_CAPS.holder - MIB)).toBe(true)
  await first.close()
  host(address)
  await until('the second counts', () => together(one, two))
  expect(await two.shared.draftRoom.enter(sender).take(2 * MIB)).toBe(false)
  two.shared.countSockets('members', memberCaps(LIMITS), () => undefined).add({} as Connection, 'ann')
  two.shared.connections(() => undefined).enter({} as Socket, '192.0.2.1')
  await until('the oldest go', () => gone.length > 0 && dropped.length > 0)
  expect(gone).toEqual([sockets[0]])
  // Neither the member's nor the one that is being answered.
  expect(dropped).toEqual([open[2]])
})

/** Strangers at the port who never shake hands, and come back, where they do, as soon as they are sent away. */
function strangers(address: Awaited<ReturnType<typeof addressOf>>, many: number, { comeBack }: { comeBack: boolean }) {
  const open = new Set<Socket>()
  let over = false
  const begin = () => {
    if (over) return
    const socket = connectPlain(address)
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      open.delete(socket)
      if (comeBack) begin()
    })
  }
  for (let n = 0; n < many; n++) begin()
  onTestFinished(() => {
    over = true
    for (const socket of open) socket.destroy()
  })
  return open
}

test('strangers who never shake hands keep no process out, and send none away', async () => {
  const lines: string[] = []
  const logger = createLogger({ destination: { write: (line) => void lines.push(line) } })
  const address = await addressOf()
  host(address)
  const linked = closedAfter(await linkLimits({ address, mediaSecret: SECRET, logger }))
  strangers(address, WAITING_MOST + 20, { comeBack: true })
  const [one, two] = [await link(address), await link(address)]
  await until('they count together', () => together(one, two))
  const more = strangers(address, WAITING_MOST, { comeBack: false })
  await until('others have come after them', () => more.size === 0)
  expect(await together(linked, one)).toBe(true)
  expect(lines).toEqual([])
})

test('so many strangers wait at most, and none of them for long', async () => {
  const address = await addressOf()
  host(address)
  await link(address)
  const open = strangers(address, WAITING_MOST + 100, { comeBack: false })
  await until('the oldest have gone', () => open.size <= WAITING_MOST, HANDSHAKE_MS - 500)
  expect(open.size).toBe(WAITING_MOST)
  await until('all have gone', () => open.size === 0, HANDSHAKE_MS + 2_000)
})
