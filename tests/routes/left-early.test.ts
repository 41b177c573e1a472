import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
let ann: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.member('Ann')
})
afterAll(() => world?.stop())

/** How many files of the data folder this process has open. */
function openFiles(): number {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return targets.filter((path) => path.startsWith(world.dataDir)).length
}

async function picture(): Promise<string> {
  const raw = { width: 900, height: 900, channels: 3 as const }
  const file = await sharp(randomBytes(900 * 900 * 3), { raw })
    .jpeg()
    .toBuffer()
  const uploaded = await world.services.media.upload({ owner: { member: ann.id }, purpose: 'photo', file })
  return uploaded.ok ? `/media/${uploaded.media.id}` : expect.fail(uploaded.reason)
}

/** Asks, and leaves once so many turns of the loop have passed. */
async function askAndLeave(path: string, turns: number, how: 'destroy' | 'resetAndDestroy'): Promise<void> {
  const { port } = new URL(world.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve))
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${ann.cookie}\r\n\r\n`
  await new Promise((resolve) => socket.write(head, resolve))
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
  socket[how]()
}

test.runIf(process.platform === 'linux').each(['destroy', 'resetAndDestroy'] as const)(
  'who leaves before the answer begins leaves no file open (%s)',
  async (how) => {
    const path = await picture()
    const before = openFiles()
    for (let n = 0; n < 60; n++) await askAndLeave(path, n, how)
    await until('every file is closed', () => openFiles() <= before)
  },
)

test.runIf(process.platform === 'linux')('who asks for the head of an export leaves no file open', async () => {
  await picture()
  await world.services.exports.ask(ann.id)
  const found = await until('the copy is ready', async () => {
    const latest = await world.services.exports.findLatest(ann.id)
    return latest?.state === 'ready' ? latest : null
  })
  const before = openFiles()
  for (let n = 0; n < 20; n++) {
    const answer = await world.page(`/account/export/${found.id}`, { as: ann, method: 'HEAD' })
    expect([answer.status, Number(answer.headers.get('Content-Length')) > 0]).toEqual([200, true])
  }
  await until('every file is closed', () => openFiles() <= before)
})
