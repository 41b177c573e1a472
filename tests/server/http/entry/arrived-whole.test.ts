import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import type { RawHandler } from '../../../../server/http/handler.ts'
import { startEcho } from '../../../support/servers/echo-server.ts'
import { until } from '../../../support/until.ts'

const HEAD = 'POST /api/whole HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 5\r\n'
const TOKEN = 'a-token-of-ann'

test.each([
  ['a stranger', `${HEAD}\r\n`],
  ['who was vouched for', `${HEAD}Authorization: Bearer ${TOKEN}\r\n\r\n`],
])('a request of %s knows whether its last bytes had come before anything was asked for it', async (_who, head) => {
  const seen: unknown[] = []
  const raw: RawHandler[] = [
    async (_request, { arrivedWhole, vouch }) => {
      vouch?.('ann', TOKEN)
      await new Promise(setImmediate)
      seen.push(arrivedWhole?.())
      return new Response()
    },
  ]
  const { port } = await startEcho({ raw })
  const ask = (first: string) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(first))
    return socket.resume()
  }
  for (let times = 0; times < 2; times++) await once(ask(`${head}hello`), 'close')
  const slow = ask(`${head}hell`)
  await until('it has begun', () => seen.length === 3)
  slow.write('o')
  await once(slow, 'close')
  expect(seen).toEqual([true, true, false])
})
