import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LogMove } from '../../eventstore/embedded/storage/move/log-move.ts'

test('a move that is stopped while it connects ends', { timeout: 5_000 }, async () => {
  const server = createServer((socket) => socket.end().resume())
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const lines: string[] = []
  const move = new LogMove({
    database: { host: '127.0.0.1', port },
    span: 100,
    logLine: (line) => void lines.push(line),
    switchOver: async () => 'busy',
  })
  move.start()
  await move.stop()
  expect(lines).toEqual([])
})
