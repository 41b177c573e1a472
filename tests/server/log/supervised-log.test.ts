import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../../eventstore/log.ts'
import { superviseLog } from '../../../server/embedded/log/supervise-log.ts'
import { testDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'

const SECRET = 'known to clients alone'

async function start(port = 0) {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  const log = await superviseLog({ database: database.config, port, secret: SECRET }, () => undefined)
  onTestFinished(() => log.stop())
  return log
}

/** Whether somebody else gets a port of this machine. */
async function isFree(port: number): Promise<boolean> {
  const other = createServer()
  const listening = once(other.listen(port, '127.0.0.1'), 'listening').then(
    () => true,
    () => false,
  )
  const free = await listening
  if (free) await once(other.close(), 'close')
  return free
}

test('nobody else gets the port of a log that is started again, and with it the secret that clients send', async () => {
  const log = await start()
  const { port, connectionString } = log.report
  const client = openLog({ connectionString })
  onTestFinished(() => client.close())
  const noted = () => ({ id: randomUUID(), type: 'Noted', data: {}, metadata: {} })
  await client.append('noted-1', 'no_stream', [noted()])
  const [first] = [log.pid()]
  process.kill(first!, 'SIGKILL')
  let tries = 0
  await until('another one is up', async () => {
    expect(await isFree(port)).toBe(false)
    tries++
    return log.isUp() && log.pid() !== first
  })
  expect(tries).toBeGreaterThan(1)
  await until('it takes appends', () =>
    client.append('noted-2', 'no_stream', [noted()]).then(
      () => true,
      () => false,
    ),
  )
  expect(await client.read('noted-1')).toHaveLength(1)
})

test('a log that stops lets go of its port', async () => {
  const log = await start()
  await log.stop()
  expect(await isFree(log.report.port)).toBe(true)
})

test('a port that is in use is named', async () => {
  const { port } = (await start()).report
  await expect(start(port)).rejects.toThrow(`The log server cannot listen on 127.0.0.1:${port}`)
})
