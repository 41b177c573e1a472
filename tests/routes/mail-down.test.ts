import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../services/log.ts'
import { startWorld, type World } from '../support/world.ts'

const lines: string[] = []
let world: World
beforeAll(async () => {
  const logger = createLogger({ destination: { write: (line) => void lines.push(line) } })
  const smtpUrl = `smtp://127.0.0.1:${await closedPort()}`
  world = await startWorld({ config: { mode: 'production', smtpUrl }, logger })
})
afterAll(() => world.stop())

/** One that nobody listens at. */
function closedPort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}

const ask = async (path: string, email: string) => {
  const answer = await world.api(path, { method: 'POST', body: JSON.stringify({ email }) })
  return [answer.status, (await answer.json()).error]
}
const EMAIL = 'canary.of.mail@example.com'

test('while the mail server is down that is a line of the log, without an address, and nobody is mailed', async () => {
  const ann = await world.member('Ann')
  lines.length = 0
  expect(await ask('/auth/send-code', EMAIL)).toEqual([502, 'Failed to send code.'])
  expect(await ask('/auth/forgot-password', ann.email)).toEqual([503, 'Failed to send reset email'])
  const seen = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
  expect(seen).toMatchObject([{ msg: 'The mail server is down.', kind: 'mail-down', errorCode: 'ESOCKET' }])
  for (const secret of [EMAIL, ann.email, 'example.com', 'Ann']) expect(lines.join('')).not.toContain(secret)
})
