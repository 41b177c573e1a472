import { expect, test } from 'vitest'
import { complaintsOf, type Given } from '../support/described/complaints.ts'

const ALWAYS = { 'Cache-Control': 'no-store', 'X-Request-Id': 'one', 'Content-Type': 'application/json' }
type Sent = { status?: number; body?: unknown; headers?: Record<string, string>; path?: string; method?: string }

/** What is complained about in an answer to a like, or to another call. */
function complaints({ status = 200, body, headers, path = '/likes', method = 'POST' }: Sent): string[] {
  const given: Given = {
    method,
    status,
    pathname: `/api${path}`,
    text: body === undefined ? '' : JSON.stringify(body),
    headers: new Headers({ ...ALWAYS, ...headers }),
  }
  return complaintsOf(given).map((sentence) => sentence.replace(/^.* has it otherwise: /, ''))
}
const LIKED = { success: true, matched: false }
const LIMIT = { error: 'Slow down 🙂 You can buzz again in a bit.', retryInMs: 1_500 }

test('an answer as it is described is in order', () => {
  expect(complaints({ body: LIKED, headers: { 'X-Log-Position': '000000000000t' } })).toEqual([])
  expect(complaints({ status: 429, body: LIMIT, headers: { 'Retry-After': '2' } })).toEqual([])
  expect(
    complaints({
      status: 405,
      method: 'PUT',
      body: { error: 'Method not allowed' },
      headers: { Allow: 'POST, OPTIONS' },
    }),
  ).toEqual([])
  expect(complaints({ status: 404, path: '/nothing', body: { error: 'Not found' } })).toEqual([])
})

test('a complaint names the call, the status, where in the answer and what is wrong', () => {
  const given = { method: 'POST', pathname: '/api/likes', status: 200, text: '{"success":true,"matched":"yes"}' }
  expect(complaintsOf({ ...given, headers: new Headers(ALWAYS) })).toEqual([
    "POST /api/likes answers 200, and /openapi.json has it otherwise: at '/matched' it must be boolean.",
  ])
})

test('a key that is not described is found, wherever it is', () => {
  expect(complaints({ body: { ...LIKED, secret: 1 } })).toEqual([
    "at '/' it must NOT have additional properties ('secret').",
  ])
  const blocks = [{ id: 'one', firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' }]
  expect(complaints({ path: '/blocks', method: 'GET', body: { blocks } })).toEqual([
    "at '/blocks/0' it must NOT have additional properties ('email').",
  ])
  expect(complaints({ status: 401, body: { error: 'Login required', ok: false } })).toEqual([
    "at '/' it must NOT have additional properties ('ok').",
  ])
})

test('what a refusal holds beside its error is missed', () => {
  const refused = { status: 401, path: '/upload-media-file' }
  expect(complaints({ ...refused, body: { ok: false, error: 'Login required' } })).toEqual([])
  expect(complaints({ ...refused, body: { error: 'Login required' } })).toEqual([
    "at '/' it must have required property 'ok'.",
  ])
})

test('a status, a sentence and a code that are not described are found', () => {
  expect(complaints({ status: 418, body: { error: 'No' } })).toEqual(['no such status is described.'])
  expect(complaints({ status: 404, body: { error: 'Gone away' } })).toEqual(["'Gone away' is none of its sentences."])
  expect(complaints({ status: 400, body: { error: 'Invalid request.', code: 'self' } })).toHaveLength(1)
})

test('headers that are promised come, and none that is not described', () => {
  expect(complaints({ status: 429, body: LIMIT })).toEqual([
    'the header Retry-After is missing.',
    'Retry-After is not its retryInMs.',
  ])
  expect(complaints({ status: 429, body: LIMIT, headers: { 'Retry-After': '7' } })).toEqual([
    'Retry-After is not its retryInMs.',
  ])
  expect(complaints({ body: LIKED, headers: { 'Set-Cookie': 'a=b' } })).toEqual([
    'the header Set-Cookie is not described.',
  ])
  expect(complaints({ body: LIKED, headers: { 'Cache-Control': 'public' } })).toHaveLength(1)
})

test('another type, and what is no JSON, are found', () => {
  expect(complaints({ body: LIKED, headers: { 'Content-Type': 'text/html' } })).toEqual([
    'its type is application/json, not text/html.',
  ])
})

test('Allow names the methods of the path', () => {
  const refused = { status: 405, method: 'PUT', body: { error: 'Method not allowed' } }
  expect(complaints({ ...refused, headers: { Allow: 'GET, POST, OPTIONS' } })).toEqual([
    'Allow is GET, OPTIONS, POST, and the path has OPTIONS, POST.',
  ])
})
