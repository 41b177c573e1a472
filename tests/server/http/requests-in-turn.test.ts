import { once } from 'node:events'
import { Agent, get, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { SESSION_COOKIE } from '../../../app/request/session-cookie.server.ts'
import type { RawHandler } from '../../../server/http/handler.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { type EchoOptions, startEcho } from '../../support/servers/echo-server.ts'
import { openable } from '../../support/servers/openable.ts'
import { until } from '../../support/until.ts'

const AT_ONCE = 2
/** What is taken before a connection that comes later. */
const FEW = 24

/** A step of a page that takes the thread for some milliseconds. */
async function work(): Promise<void> {
  const until = performance.now() + 4
  while (performance.now() < until) {}
  await settled()
}

/** Over a connection of its own; its status. */
const askAlone = ({ port }: { port: number }, path: string, address: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { 'X-Forwarded-For': address, Host: `localhost:${port}` }
    const asked = get({ host: '127.0.0.1', port, path, agent: false, headers }, (answer) =>
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    )
    asked.on('error', reject)
  })

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('forms with files are known by their type, and the rest of them wait while pages are answered', async () => {
  const gate = openable()
  let begun = 0
  const raw: RawHandler[] = [
    async (request) => {
      if (!request.url.endsWith('/gate')) return null
      await request.arrayBuffer()
      begun += 1
      await gate.opened
      return new Response('now')
    },
  ]
  const server = await startEcho({ raw, trustProxy: true, turnMs: 60_000 })
  const form = () => {
    const body = new FormData()
    body.set('a', 'b')
    return body
  }
  const forms = Array.from({ length: 6 }, (_, at) => {
    const headers = { 'X-Forwarded-For': `192.0.2.${at}`, Origin: server.url }
    return fetch(`${server.url}/gate`, { method: 'POST', headers, body: form() })
  })
  await until('as many as may have begun', () => begun >= 1)
  expect([(await fetch(`${server.url}/page`)).status, begun]).toEqual([200, 1])
  gate.open()
  expect((await Promise.all(forms)).map(({ status }) => status)).toEqual(Array(6).fill(200))
  await server.close()
})

test('of many requests of one address two begin, another address is answered, and then all that were not given up', async () => {
  let begun = 0
  const gate = openable()
  const waiting = async () => {
    begun += 1
    await gate.opened
    return new Response('now')
  }
  const raw = [(request: Request) => (request.url.endsWith('/gate') ? waiting() : null)]
  const server = await startEcho({ raw, trustProxy: true, turnMs: 60_000 })
  const askFrom = (address: string, path: string, signal?: AbortSignal) =>
    fetch(server.url + path, { headers: { 'X-Forwarded-For': address }, ...(signal && { signal }) })
  const crowd = Array.from({ length: 20 }, () => askFrom('192.0.2.1', '/gate'))
  await until('as many as may have begun', () => begun >= AT_ONCE)
  const impatient = new AbortController()
  const givenUp = askFrom('192.0.2.1', '/gate', impatient.signal)
  expect((await askFrom('192.0.2.2', '/page')).status).toBe(200)
  impatient.abort()
  await expect(givenUp).rejects.toThrow()
  expect((await askFrom('192.0.2.2', '/page')).status).toBe(200)
  expect(begun).toBe(AT_ONCE)
  gate.open()
  expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(begun).toBe(20)
  await server.close()
})

test('whoever was refused of late comes after others that wait', async () => {
  const gate = openable()
  const asked: string[] = []
  const raw: RawHandler[] = [
    async ({ url }) => {
      const { pathname } = new URL(url)
      if (pathname === '/refused') return new Response('no', { status: 422 })
      if (pathname === '/healthz') return new Response('well')
      asked.push(pathname)
      if (pathname === '/gate') await gate.opened
      return new Response('now')
    },
  ]
  const server = await startEcho({ raw, trustProxy: true, turnMs: 60_000 })
  const askFrom = (address: string, path: string) =>
    fetch(server.url + path, { headers: { 'X-Forwarded-For': address } }).then(({ status }) => status)
  // The first few count nothing.
  for (let time = 0; time < 4; time++) expect(await askFrom('192.0.2.9', '/refused')).toBe(422)
  const crowd = [1, 2, 3, 4].map((at) => askFrom(`192.0.2.${at}`, '/gate'))
  await until('all places are taken', () => asked.length === 4)
  const waiting = [askFrom('192.0.2.9', '/late')]
  // What waits for no turn is answered once that one has come.
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  waiting.push(askFrom('192.0.2.8', '/first'))
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  gate.open()
  await Promise.all([...crowd, ...waiting])
  expect(asked.slice(4)).toEqual(['/first', '/late'])
  await server.close()
})

test('on a crowded port nothing is done for clients that are gone by the time it would begin', async () => {
  const gate = openable()
  const asked: string[] = []
  const raw: RawHandler[] = [
    async ({ url }) => {
      const { pathname } = new URL(url)
      asked.push(pathname)
      if (pathname === '/gate') await gate.opened
      return new Response('now')
    },
  ]
  const server = await startEcho({ raw, trustProxy: true, turnMs: 60_000 })
  const crowd = ['192.0.2.1', '192.0.2.2'].flatMap((address) =>
    Array.from({ length: address.endsWith('1') ? 2 : 1 }, () =>
      fetch(`${server.url}/gate`, { headers: { 'X-Forwarded-For': address } }),
    ),
  )
  await until('the port is crowded', () => asked.length === 3)
  // Its end arrives with what it asks for.
  const gone = connect({ port: server.port, host: '127.0.0.1' })
  gone.end(`GET /gone HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`)
  gone.resume()
  await once(gone, 'close')
  expect((await fetch(`${server.url}/there`)).status).toBe(200)
  expect(asked.slice(3)).toEqual(['/there'])
  gate.open()
  await Promise.all(crowd)
  await server.close()
})

test('whoever connects behind a crowd has a turn beside it, not behind it', async () => {
  let begun = 0
  const raw: RawHandler[] = [
    async ({ url }) => {
      if (!url.endsWith('/work')) return new Response('now')
      begun += 1
      for (let turn = 0; turn < 3; turn++) await work()
      return new Response('done')
    },
  ]
  const server = await startEcho({ raw, trustProxy: true })
  const crowd = Array.from({ length: 200 }, () => askAlone(server, '/work', '192.0.2.1'))
  expect(await askAlone(server, '/page', '192.0.2.2')).toBe(200)
  expect(begun).toBeLessThan(FEW)
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([200]))
  expect(begun).toBe(200)
  await server.close()
})

/** Requests of 20 strangers of one network wait at `/gate`; `/in` vouches for the token that it shows, `/dead` finds it dead. */
async function besideStrangers(options: EchoOptions, act: (server: HttpServer, strangers: Strangers) => Promise<void>) {
  const gate = openable()
  let begun = 0
  const waiting = async () => {
    begun += 1
    await gate.opened
    return new Response('now')
  }
  const raw: RawHandler[] = [
    ({ url, headers }, { vouch, foundDead }) => {
      const token = headers.get('Cookie')?.replace(/^.*=/, '')
      if (url.endsWith('/in')) vouch?.('Ann', token)
      if (url.endsWith('/dead')) foundDead?.(token ?? '')
      return url.endsWith('/gate') ? waiting() : null
    },
  ]
  const server = await startEcho({ raw, turnMs: 60_000, ...options })
  const come = async () => {
    const all = Array.from({ length: 20 }, () => fetch(`${server.url}/gate`))
    await until('as many as may have begun', () => begun >= AT_ONCE)
    return all
  }
  let crowd: Promise<Response>[] = []
  try {
    await act(server, { come: async () => (crowd = await come()), begun: () => begun })
  } finally {
    gate.open()
    await Promise.all(crowd)
    await server.close()
  }
}
type Strangers = { come: () => Promise<unknown>; begun: () => number }

const withToken = (token: string) => ({ headers: { Cookie: `${SESSION_COOKIE}=${token}` } })
const PATIENCE_MS = 150
/** Whether it is answered soon. */
const isAnswered = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

test.each([false, true])(
  'a token that was vouched for does not wait behind strangers of its network, over whatever connection (proxy: %s)',
  (trustProxy) =>
    besideStrangers({ trustProxy }, async ({ url }, { come, begun }) => {
      expect((await fetch(`${url}/in`, withToken('alive'))).status).toBe(200)
      await come()
      const headers = { ...withToken('alive').headers, Connection: 'close' }
      expect((await fetch(`${url}/page`, { headers })).status).toBe(200)
      expect(begun()).toBe(AT_ONCE)
      expect(await isAnswered(`${url}/page`, withToken('made-up'))).toBe(false)
    }),
)

test.each([false, true])(
  "over a connection that carried a member's request a stranger's is a stranger's (proxy: %s)",
  (trustProxy) =>
    besideStrangers({ trustProxy }, async ({ port }, { come }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const ask = (path: string, headers: OutgoingHttpHeaders, timeout = 10_000) =>
        new Promise<number>((resolve, reject) => {
          const asked = get({ port, host: '127.0.0.1', path, agent, headers, timeout }, (answer) =>
            answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
          )
          asked.on('timeout', () => asked.destroy(new Error('It waits.')))
          asked.on('error', reject)
        })
      const Host = `localhost:${port}`
      expect(await ask('/in', { Host, ...withToken('alive').headers })).toBe(200)
      await come()
      expect(await ask('/page', { Host, ...withToken('alive').headers })).toBe(200)
      await expect(ask('/page', { Host }, PATIENCE_MS)).rejects.toThrow('It waits.')
      agent.destroy()
    }),
)

test("a token that was found dead is a stranger's again", () =>
  besideStrangers({}, async ({ url }, { come }) => {
    for (const path of ['/in', '/dead']) await fetch(url + path, withToken('alive'))
    await come()
    expect(await isAnswered(`${url}/page`, withToken('alive'))).toBe(false)
  }))
