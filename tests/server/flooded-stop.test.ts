import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, startProgram } from '../drills/program-child.ts'
import { layCluster } from '../support/cluster.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

const ADDRESSES = 5
/** What one network may have open, with what else comes from it. */
const SILENT_EACH = 400
const UPLOADS_EACH = 20
const READERS_EACH = 20
const SOCKETS_EACH = 20

const HOST = 'Host: localhost\r\n'
const UPLOAD = `POST /media-upload HTTP/1.1\r\n${HOST}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 40000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nphoto\r\n`
const PAGES = `GET / HTTP/1.1\r\n${HOST}\r\n`.repeat(16)
const upgrade = (port: number) =>
  `GET /realtime HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`

/** Connections from an address that send one thing and read no answer beyond what the system takes. */
function openMany(port: number, localAddress: string, count: number, words: string): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    socket.on('error', () => socket.destroy())
    if (words) socket.write(words)
    return socket.pause()
  })
}

test.runIf(process.platform === 'linux')(
  'a product that thousands of connections do nothing with stops within its time, and ends well',
  async () => {
    const dataDir = makeTempDir('letsbuzz-flooded-')
    await layCluster(join(dataDir, 'postgres'))
    const port = await freePort()
    const program = await startProgram({ dataDir, port, env: { LOG_LEVEL: 'warn' } })
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const addresses = Array.from({ length: ADDRESSES }, (_, at) => `127.0.3.${at + 1}`)
    const open = (each: number, words: string) => addresses.flatMap((address) => openMany(port, address, each, words))
    const others = [open(SILENT_EACH, ''), open(UPLOADS_EACH, UPLOAD), open(READERS_EACH, PAGES)].flat()
    onTestFinished(() => {
      for (const socket of others) socket.destroy()
    })
    await until('all are connected', () => others.every(({ connecting }) => !connecting))
    // Their answer to a goodbye never comes.
    const sockets = open(SOCKETS_EACH, upgrade(port)).map((socket) => socket.resume())
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy()
    })
    await until('the realtime node has its sockets', () => sockets.every(({ bytesRead }) => bytesRead > 0))
    expect([...others, ...sockets].filter(({ destroyed }) => destroyed)).toEqual([])
    await program.stop()
    const { code, output } = await program.ended
    expect({ code, output }).toMatchObject({ code: 0, output: expect.not.stringContaining('Not everything') })
  },
)
