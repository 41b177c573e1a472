import { expect, test } from 'vitest'
import { createMailboxHandler } from '../../../../server/http/raw/mailbox.ts'
import type { Mailbox } from '../../../../services/mailbox.ts'

const mail = { to: 'ann@example.com', subject: 'Your code', text: '123456', html: '', at: new Date(0) }
const handle = createMailboxHandler({ list: async () => [mail] } as unknown as Mailbox)

async function ask(url: string, ip: string, headers = {}): Promise<string | null> {
  const answer = await handle(new Request(url, { headers }), {
    ip,
    requestId: '',
    nonce: '',
    origin: new URL(url).origin,
  })
  return answer ? answer.text() : null
}

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
    for (const name of ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via'])
      expect(await ask(`http://localhost:3000${path}`, '127.0.0.1', { [name]: '192.0.2.2' }), name).toBeNull()
  },
)
