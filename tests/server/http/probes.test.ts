import { expect, test } from 'vitest'
import type { RawHandler } from '../../../server/http/handler.ts'
import { createHealthHandler } from '../../../server/http/raw/health.ts'
import { Arrivals } from '../../../server/http/turns/arrivals.ts'
import { RequestTurns } from '../../../server/http/turns/request-turns.ts'
import { startEcho } from '../../support/servers/echo-server.ts'
import { openable } from '../../support/servers/openable.ts'
import { until } from '../../support/until.ts'

/** Probes of one network that begin in a round of the event loop, and in all. */
const [OF_NETWORK, OF_ALL] = [8, 16]
const PATIENCE_MS = 300
const round = () => new Promise((resolve) => setImmediate(resolve))

/** A server whose turns all wait at `/gate`, for strangers of the network that asks and of others. */
async function besideCrowd(act: (url: string) => Promise<void>) {
  const gate = openable()
  let begun = 0
  const waiting: RawHandler = async ({ url }) => {
    if (!url.endsWith('/gate')) return null
    begun += 1
    await gate.opened
    return new Response('now')
  }
  const health = createHealthHandler(async () => [{ role: 'web', ready: true }])
  const server = await startEcho({ raw: [waiting, health], trustProxy: true, turnMs: 60_000 })
  const crowd = Array.from({ length: 60 }, (_, at) =>
    fetch(`${server.url}/gate`, { headers: at % 2 ? {} : { 'X-Forwarded-For': `192.0.2.${at}` } }),
  )
  try {
    await until('the places of strangers are taken', () => begun === 4)
    await act(server.url)
    expect(begun).toBe(4)
  } finally {
    gate.open()
    await Promise.all(crowd)
    await server.close()
  }
}

test.each(['GET', 'HEAD'])('on a crowded port probes (%s) are answered before whoever waits for a turn', (method) =>
  besideCrowd(async (url) => {
    for (const path of ['/healthz', '/readyz', '/readyz?from=outside'])
      expect((await fetch(url + path, { method, signal: AbortSignal.timeout(10_000) })).status).toBe(200)
  }),
)

test.each([
  ['sends something', '/healthz', { method: 'POST', body: 'a' }],
  ['asks for something like it', '/healthz/', {}],
])('who %s waits for a turn', (_what, path, init) =>
  besideCrowd(async (url) => {
    const asked = fetch(url + path, { ...init, headers: { Origin: url }, signal: AbortSignal.timeout(PATIENCE_MS) })
    await expect(asked).rejects.toThrow('timeout')
  }),
)

test('of a flood of probes few begin in each round, and those of another network do not wait for it', async () => {
  const turns = new RequestTurns({ turnMs: 60_000 }, new Arrivals(0))
  const begun: string[] = []
  const ask = (network: string) =>
    void turns.begin({ network, isProbe: true }).then((end) => {
      begun.push(network)
      end()
    })
  for (let at = 0; at < 500; at++) ask('flood')
  await round()
  await round()
  ask('orchestrator')
  const before = begun.length
  for (let rounds = 1; rounds <= 4; rounds++) {
    await round()
    expect(begun.length - before).toBeLessThanOrEqual(rounds * OF_ALL)
  }
  expect(begun.slice(0, before + OF_ALL)).toContain('orchestrator')
  const flooding = begun.filter((network) => network === 'flood').length
  expect(flooding).toBeLessThanOrEqual(6 * OF_NETWORK)
  await until('all are answered', () => begun.length === 501)
})

test('probes that wait for their answer keep out those of their network alone', async () => {
  const turns = new RequestTurns({ turnMs: 60_000 }, new Arrivals(0))
  const open: (() => void)[] = []
  for (let network = 0; network < 100; network++)
    for (let at = 0; at < 20; at++)
      void turns.begin({ network: `n${network}`, isProbe: true }).then((end) => open.push(end))
  await until('each network has as many as it may', () => open.length === 100 * OF_NETWORK)
  await turns.begin({ network: 'orchestrator', isProbe: true })
  await turns.begin({ network: 'a' })
  expect(open).toHaveLength(100 * OF_NETWORK)
})

test('however many ask whether the process is ready, it is asked once at a time', async () => {
  const gate = openable()
  let asked = 0
  const ask = createHealthHandler(async () => {
    asked += 1
    await gate.opened
    return []
  })
  const client = {} as Parameters<RawHandler>[1]
  const readiness = () => ask(new Request('http://localhost/readyz'), client)
  const answers = Array.from({ length: 100 }, readiness)
  gate.open()
  expect((await Promise.all(answers)).map((answer) => answer?.status)).toEqual(Array(100).fill(200))
  expect(asked).toBe(1)
  await readiness()
  expect(asked).toBe(2)
})
