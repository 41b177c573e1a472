import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findPort } from '../../../server/http/free-port.ts'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { document, methodsOf } from '../../support/described/document.ts'
import { holdToDocument, letGo, takeComplaints } from '../../support/described/hold.ts'
import { startPages } from '../../support/pages.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { until } from '../../support/until.ts'

const PAGES = `await new Promise((there) => process.once('pages are there', there))
export const [routes, assets, entry] = [{}, { routes: {}, version: '1' }, { module: {} }]`

/** A product whose pages are on their way. */
async function startSlowly(): Promise<string> {
  const buildDir = tempDir()
  for (const part of ['client', 'server']) mkdirSync(join(buildDir, part))
  writeFileSync(join(buildDir, 'package.json'), '{"type":"module"}')
  writeFileSync(join(buildDir, 'server', 'index.js'), PAGES)
  const port = await findPort(0, '127.0.0.1')
  let started: HttpServer | undefined
  const starting = startPages(null, { buildDir, port }).then((server) => {
    started = server
  })
  onTestFinished(async () => {
    // Whether they are waited for already, or only later.
    await until('the pages are there', () => {
      process.emit('pages are there' as 'SIGWINCH', 'SIGWINCH')
      return started
    })
    await starting
    await started?.close()
  })
  const url = `http://127.0.0.1:${port}`
  await until('it listens', () => fetch(url).catch(() => null))
  holdToDocument(url)
  onTestFinished(() => letGo(url))
  return url
}

test('while the product starts a page says so and loads itself again, and a call answers in its own form', async () => {
  const url = await startSlowly()
  const page = await fetch(`${url}/discover`)
  expect([page.status, page.headers.get('retry-after'), page.headers.get('content-type')]).toEqual([
    503,
    '5',
    'text/html; charset=utf-8',
  ])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const words = await page.text()
  expect(words).toContain('<h1>LetsBuzz is starting.')
  expect(words).toContain('<meta http-equiv="refresh" content="5">')

  const call = await fetch(`${url}/api/discover`)
  expect([call.status, call.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await call.json()).toEqual({ error: 'LetsBuzz is starting. It will be here in a moment.', retryInMs: 5_000 })

  const sent = await fetch(`${url}/login`, { method: 'POST', body: new URLSearchParams({ intent: 'login' }) })
  expect(sent.status).toBe(503)
  expect(await sent.text()).toMatch(/Go back and send it again/)
  expect((await fetch(`${url}/healthz`)).status).toBe(503)
})

test('what every address answers while the product starts is in its description', async () => {
  const url = await startSlowly()
  const asked = Object.keys(document.paths ?? {}).flatMap((template) =>
    methodsOf(template).map((method) => ({ method, path: template.replace(/\{\w+\}/g, 'x') })),
  )
  const others = [
    { method: 'OPTIONS', path: '/api/discover' },
    { method: 'POST', path: '/media/x' },
    { method: 'GET', path: '/api/no-such-call' },
  ]
  for (const { method, path } of [...asked, ...others])
    expect([method, path, (await fetch(url + path, { method })).status]).toEqual([method, path, 503])
  expect(takeComplaints()).toEqual([])
})
