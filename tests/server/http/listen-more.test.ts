import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { listenMore } from '../../../server/http/listen-more.ts'
import { childrenOf, withProc } from '../../services/support/processes.ts'
import { bundled } from '../../support/programs/bundled.ts'

const CROWD = 160

async function listening() {
  const taken = { connections: 0 }
  const server = createServer((_, answer) => void answer.end('here'))
  server.on('connection', () => {
    taken.connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { server, taken, port: (server.address() as AddressInfo).port }
}

/** Rounds of the event loop until all of a crowd that has come at once are taken. */
async function roundsFor(eachRound: number): Promise<number> {
  const { server, taken, port } = await listening()
  const more = await listenMore(server, { eachRound })
  const crowd = Array.from({ length: CROWD }, () => connect(port, '127.0.0.1'))
  let rounds = 0
  for (; taken.connections < CROWD; rounds++) await new Promise(setImmediate)
  for (const one of crowd) one.destroy()
  await Promise.all([more.close(), new Promise((resolve) => server.close(resolve))])
  return rounds
}

test('with more listeners a round of the event loop takes many of a crowd of connections', async () => {
  expect(await roundsFor(16)).toBeLessThan((await roundsFor(1)) / 4)
})

test('whichever listener takes a connection, it is answered, until all are closed', async () => {
  const { server, port } = await listening()
  const more = await listenMore(server, { eachRound: 8 })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text())),
  )
  expect(new Set(answers)).toEqual(new Set(['here']))
  server.closeIdleConnections()
  await Promise.all([more.close(), new Promise((resolve) => server.close(resolve))])
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed')
})

test('a process without a descriptor left goes on with the one listener it has, and kills nothing for a child that did not start', async () => {
  const program = bundled(fileURLToPath(new URL('../../support/programs/few-descriptors.ts', import.meta.url)))
  const child = spawn('sh', ['-c', 'ulimit -n 80; exec "$0" "$1"', process.execPath, program], {
    // In a group of its own, which is all that it can kill.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  expect(await text(child.stdout)).toBe('here')
  expect(await ended).toEqual([0, null])
})

withProc(() => {
  const mostWaiting = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))

  test.skipIf(mostWaiting < 4_096)('a crowd that comes while the thread is busy finds room in the queue', async () => {
    const program = bundled(fileURLToPath(new URL('../../support/programs/busy-port.ts', import.meta.url)))
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
    const crowd: Socket[] = []
    onTestFinished(() => {
      for (const one of crowd) one.destroy()
      child.kill('SIGKILL')
    })
    const [line] = await once(child.stdout, 'data')
    child.kill('SIGSTOP')
    for (let at = 0; at < 1_500; at++) crowd.push(connect(Number(line), '127.0.0.1'))
    await Promise.all(crowd.map((one) => once(one, 'connect')))
  })

  test('the child that sends the handles back is gone once they are there', async () => {
    const { server } = await listening()
    const more = await listenMore(server, { eachRound: 4 })
    await expect.poll(() => childrenOf(process.pid, 'process.send(message')).toEqual([])
    await more.close()
  })
})
