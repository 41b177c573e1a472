// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchAgain, type Shown } from '../../../app/live/fetch-again.ts'

const IDLE = { state: 'idle' }
const CHAT = { pathname: '/chat/bea', search: '' }
const data = (status = 200) =>
  new Response('data', { status, headers: { 'Content-Type': 'text/x-script; charset=utf-8' } })
const portal = () => new Response('<p>Sign in to this Wi-Fi</p>', { headers: { 'Content-Type': 'text/html' } })
const lost = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A page's fetch whose network gives these answers in turn, then the last one for ever. */
function page(shown: Partial<Shown>, ...answers: (() => Response | Promise<Response>)[]) {
  let asked = 0
  const network = async () => (answers[asked++] ?? answers.at(-1)!)()
  const read = fetchAgain(network, () => ({ location: CHAT, navigation: IDLE, ...shown }))
  return { read, asked: () => asked }
}

for (const [what, answer] of [
  ['no answer', lost],
  ['the page of a network that asks to sign in', portal],
  ['a 502 of a proxy', () => new Response('Bad gateway', { status: 502, headers: { 'Content-Type': 'text/html' } })],
  ['an empty 503', () => new Response(null, { status: 503 })],
  ['a 503 of the product', () => data(503)],
  ['a 504', () => data(504)],
  ['a 429 of an address that asks too often for a while', () => data(429)],
  ['a fault of the product', () => data(500)],
] as const) {
  test(`the page that is shown waits for its data when there is ${what}`, async () => {
    const { read, asked } = page({}, answer, answer, () => data())
    const reading = read('/chat/bea.data')
    await vi.advanceTimersByTimeAsync(499)
    expect(asked()).toBe(1)
    await vi.advanceTimersByTimeAsync(1_001)
    expect(asked()).toBe(3)
    expect(await (await reading).text()).toBe('data')
  })
}

test('the browser is online again: the page is read at once', async () => {
  const { read } = page({}, lost, () => data())
  const reading = read('/chat/bea.data')
  await vi.advanceTimersByTimeAsync(1)
  window.dispatchEvent(new Event('online'))
  expect((await reading).status).toBe(200)
})

test('what the product says of the page is its answer', async () => {
  for (const status of [202, 401, 404])
    expect((await page({}, () => data(status)).read('/chat/bea.data')).status).toBe(status)
})

test('a fault that goes on is the answer to the read that follows a form', async () => {
  const sent = { navigation: { state: 'loading', location: CHAT, formMethod: 'post' } }
  const { read, asked } = page(sent, () => data(500))
  const reading = read('/chat/bea.data')
  await vi.advanceTimersByTimeAsync(7_500)
  expect((await reading).status).toBe(500)
  expect(asked()).toBe(5)
})

test('a page that failed already is answered with its fault', async () => {
  expect((await page({ errors: {} }, () => data(500)).read('/chat/bea.data')).status).toBe(500)
})

for (const search of ['', '?index'])
  test(`the read that follows a form sent to the page${search && ' as one among others'} waits too`, async () => {
    const navigation = { state: 'loading', location: { ...CHAT, search }, formMethod: 'post' }
    const { read } = page({ navigation }, lost, () => data())
    const reading = read('/chat/bea.data?_routes=root')
    await vi.advanceTimersByTimeAsync(500)
    expect((await reading).ok).toBe(true)
  })

for (const [what, shown, address] of [
  ['another page', { navigation: { state: 'loading', location: { pathname: '/chat', search: '' } } }, '/chat.data'],
  ['the page itself', { navigation: { state: 'loading', location: CHAT } }, '/chat/bea.data'],
  ['what its address alone calls another page', { navigation: { state: 'loading', location: CHAT } }, '/chat.data'],
  [
    'a search of the page',
    { navigation: { state: 'loading', location: { ...CHAT, search: '?q=Jam' } } },
    '/chat/bea.data?q=Jam',
  ],
  ['more of its data', {}, '/chat/bea.data?before=9'],
] as const) {
  test(`who goes to ${what} is answered at once, with or without a network`, async () => {
    for (const answer of [lost, portal, () => new Response(null, { status: 503 })])
      await expect(page(shown, answer).read(address)).rejects.toThrow('Failed to fetch')
    expect((await page(shown, () => data(503)).read(address)).status).toBe(503)
  })
}

test('nobody waits any more: the read ends', async () => {
  const left = new AbortController()
  const { read } = page({}, lost, () => Promise.reject(left.signal.reason))
  const reading = read('/chat/bea.data', { signal: left.signal })
  reading.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(1)
  left.abort()
  await expect(reading).rejects.toThrow(/abort/i)
})

test('what is sent, and what is no data of a page, gets the answer that came', async () => {
  const { read } = page({}, portal)
  expect((await read('/chat/bea.data', { method: 'POST' })).headers.get('Content-Type')).toBe('text/html')
  expect((await read('/media/one')).headers.get('Content-Type')).toBe('text/html')
})
