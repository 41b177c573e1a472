import { expect, onTestFinished, test } from 'vitest'
import { whileLocked } from '../../../services/postgres/lock-connection.ts'
import { testDatabase } from '../../support/postgres.ts'

test('a server is told when the process that has a lock counts as gone without a word', async () => {
  const database = await testDatabase()
  onTestFinished(() => database.drop())
  // A Unix socket, as here, shows none of their values.
  const ASKED = `select name from pg_settings where source = 'session' and name like 'tcp_%' order by name`
  const asked = await whileLocked(
    database.config,
    async () => undefined,
    async ({ client }) => (await client.query<{ name: string }>(ASKED)).rows.map(({ name }) => name),
  )
  expect(asked).toEqual(['tcp_keepalives_count', 'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_user_timeout'])
})
