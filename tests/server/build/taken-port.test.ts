import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPort } from '../../../server/http/free-port.ts'
import { ROOT } from '../../../server/root.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { runProgram } from '../../support/tool.ts'

const HOST = '127.0.0.1'

async function listenOn(port: number): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

test('a start on a taken port says so before it makes anything', async () => {
  const port = await listenOn(0)
  const DATA_DIR = join(tempDir(), 'data')
  const env = { DATA_DIR, PORT: String(port), HOST }
  const started = await runProgram(process.execPath, [join(ROOT, 'server/run.js'), 'main', '--no-demo'], env)
  expect(started).toMatchObject({ code: 1, out: '' })
  expect(started.err).toContain(
    `Port ${port} on ${HOST} is taken by another program. Stop it, or set PORT to a free one.`,
  )
  expect(existsSync(join(DATA_DIR, 'postgres'))).toBe(false)
  expect(existsSync(join(DATA_DIR, 'secrets.json'))).toBe(false)
}, 60_000)

test('whether a port is free is asked without staying on it', async () => {
  const port = await findPort(0, HOST)
  expect(await findPort(port, HOST)).toBe(port)
  expect(await listenOn(port)).toBe(port)
  await expect(findPort(port, HOST)).rejects.toThrow(`Port ${port} on ${HOST} is taken`)
})

test('an address that the machine has not is named, with HOST', async () => {
  // A net kept for documentation, which no machine has (RFC 5737).
  await expect(findPort(0, '192.0.2.1')).rejects.toThrow('This machine has no address 192.0.2.1. Set HOST')
})
