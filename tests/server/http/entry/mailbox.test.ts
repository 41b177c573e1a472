import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createMailboxHandler } from '../../../../server/http/raw/mailbox.ts'
import type { Mailbox } from '../../../../services/mailbox.ts'
import { startEcho } from '../../../support/servers/echo-server.ts'

const mail = { to: 'ann@example.com', subject: 'Your code', text: '123456', html: '', at: new Date(0) }
const handle = createMailboxHandler({ list: async () => [mail] } as unknown as Mailbox)

async function ask(url: string, ip: string): Promise<string | null> {
  const client = { ip, requestId: '', nonce: '', origin: new URL(url).origin, isForwarded: false }
  const answer = await handle(new Request(url), client)
  return answer ? answer.text() : null
}

/** As it comes over the port, to one of this machine's names. */
const askPort = (port: number, path: string, headers: Record<string, string> = {}) =>
  new Promise<string>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { Host: `localhost:${port}`, ...headers } })
    asked.on('response', (answer) => text(answer).then(resolve, reject))
    asked.on('error', reject).end()
  })

const LOOPBACK = ['127.0.0.1', '::1']
const ELSEWHERE = ['192.0.2.2', '10.0.0.7', '2001:db8::1', 'fe80::1']

test.each(['/dev/mailbox', '/dev/mailbox.json?to=ann@example.com'])('%s answers this machine', async (path) => {
  for (const ip of LOOPBACK)
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
      expect(await ask(`http://${host}${path}`, ip), `${host} ${ip}`).toContain('123456')
})

test.each(['/dev/mailbox', '/dev/mailbox.json'])(
  '%s is not there for other machines, nor under other names',
  async (path) => {
    for (const ip of ELSEWHERE) expect(await ask(`http://localhost:3000${path}`, ip), ip).toBeNull()
    for (const host of ['192.0.2.2:3000', 'evil.example', 'localhost.evil.example', '127.0.0.1.evil.example'])
      expect(await ask(`http://${host}${path}`, '127.0.0.1'), host).toBeNull()
  },
)

test.each(['/dev/mailbox', '/dev/mailbox.json'])(
  '%s is not there for what came through a proxy or a tunnel of this machine, over the port',
  async (path) => {
    for (const trustProxy of [false, true]) {
      const server = await startEcho({ raw: [handle], trustProxy })
      const { port } = server
      expect(await askPort(port, path)).toContain('123456')
      for (const name of ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'])
        for (const value of ['192.0.2.2', `localhost:${port}`, '127.0.0.1'])
          expect(await askPort(port, path, { [name]: value }), `${name} ${value}`).not.toContain('123456')
      await server.close()
    }
  },
)
