import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpServer } from '../../../server/http/http-server.ts'
import { startPages } from '../../support/pages.ts'

const KIB = 1024

let server: HttpServer
beforeAll(async () => {
  server = await startPages(null, { overLimit: async () => 60_000 })
})
afterAll(() => server.close())

/** A form sent without script, with its length announced or not. */
async function send(text: string, isAnnounced = true): Promise<{ status: number; html: string }> {
  const init: RequestInit & { duplex: 'half' } = {
    duplex: 'half',
    body: isAnnounced ? text : new Blob([text]).stream(),
  }
  const headers = { Origin: server.url, 'Content-Type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(`${server.url}/login`, { method: 'POST', headers, ...init })
  return { status: answer.status, html: await answer.text() }
}

test.each([true, false])('a throttled form of usual size comes back in full (announced: %s)', async (isAnnounced) => {
  const text = 'Tea at five? '.repeat(1_600)
  const { status, html } = await send(String(new URLSearchParams({ id: 'one', text })), isAnnounced)
  expect([status, html.includes(`<textarea hidden name="text">\n${text}</textarea>`)]).toEqual([429, true])
  expect(html).toContain('<textarea hidden name="id">\none</textarea>')
})

test.each([
  ['many fields', 'a&'.repeat(150 * KIB), true],
  ['many fields, not announced', 'a&'.repeat(150 * KIB), false],
  ['a long text', `text=${'x'.repeat(65 * KIB)}`, true],
  ['a long text, not announced', `text=${'x'.repeat(65 * KIB)}`, false],
  ['few bytes in many fields', 'a&'.repeat(201), true],
])('of a throttled form with %s nothing is given back', async (_what, text, isAnnounced) => {
  const { status, html } = await send(text, isAnnounced)
  expect([status, html.includes('<form'), html.includes('Try again'), html.length < 100 * KIB]).toEqual([
    429,
    false,
    true,
    true,
  ])
})

test('as many fields as are kept come back', async () => {
  const { html } = await send('a=1&'.repeat(200))
  expect(html.split('<textarea hidden').length - 1).toBe(200)
})

test('a form whose failure is before its page comes back in full', async () => {
  const failing = await startPages(
    null,
    {
      overLimit: async () => {
        throw new Error('Nobody can look.')
      },
    },
    () => undefined,
  )
  const headers = { Origin: failing.url, 'Content-Type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(`${failing.url}/login`, { method: 'POST', headers, body: 'text=Tea+at+five%3F' })
  const html = await answer.text()
  expect([answer.status, html.includes('<textarea hidden name="text">\nTea at five?</textarea>')]).toEqual([500, true])
  await failing.close()
})

/** A form with a file that a browser sends without script. */
async function sendWithFile(bytes: number): Promise<string> {
  const body = new FormData()
  body.append('phone', '+47 912 34 567')
  body.append('password', 'a secret of mine')
  body.append('voice', new File([new Uint8Array(bytes)], bytes > 0 ? 'voice.mp3' : ''))
  const headers = { Origin: server.url, Accept: 'text/html' }
  return (await fetch(`${server.url}/login`, { method: 'POST', headers, body })).text()
}

test.each([
  ['no file', 0],
  ['a small file', 100],
  ['a file larger than what is kept', 300 * KIB],
])('of a form with %s what was typed before it comes back, without the secret', async (_what, bytes) => {
  const html = await sendWithFile(bytes)
  expect([html.includes('+47 912 34 567'), html.includes('a secret of mine')]).toEqual([true, false])
})

test('a form with a file is not sent again without it', async () => {
  expect(await sendWithFile(100)).not.toContain('Send again')
})
