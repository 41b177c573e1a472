import { expect, test } from 'vitest'
import {
  FORGOT_WORDS,
  LOG_IN_WORDS,
  resetWords,
  SEND_CODE_WORDS,
  VERIFY_CODE_WORDS,
} from '../../app/words/auth-words.ts'
import { limitWorded, worded } from '../../app/words/words.ts'
import { refused } from '../../usecases/outcome.ts'

const wait = { retryInMs: 45_000 }

test('signing in is refused in the words of the contract', () => {
  const missing = 'Email and password are required.'
  expect(worded(LOG_IN_WORDS, refused('missing', { fields: ['password'] }))).toMatchObject({
    status: 400,
    error: missing,
    fields: { password: missing },
  })
  expect(worded(LOG_IN_WORDS, refused('suspended'))).toMatchObject({
    status: 403,
    error: 'Account suspended',
    code: 'suspended',
  })
  expect(worded(LOG_IN_WORDS, refused('slow-down', wait))).toMatchObject({
    status: 429,
    error: 'Too many tries. You can try again in 45 seconds.',
    retryInMs: 45_000,
  })
})

test('a call words its limits alike, but for the one that no wait lifts', () => {
  const general = 'Too many requests. Please try again later.'
  for (const table of [LOG_IN_WORDS, SEND_CODE_WORDS, FORGOT_WORDS])
    expect(limitWorded(table, refused('slow-down', wait))).toMatchObject({ error: general, retryInMs: 45_000 })
  for (const table of [SEND_CODE_WORDS, FORGOT_WORDS])
    expect(limitWorded(table, refused('code-issued', wait))).toMatchObject({ error: general, retryInMs: 45_000 })
  expect(limitWorded(LOG_IN_WORDS, refused('mail-link-needed', wait)).error).toContain('the link in the mail')
})

test('codes that are not sent or do not fit are refused in the words of the contract', () => {
  for (const table of [SEND_CODE_WORDS, FORGOT_WORDS]) {
    const onItsWay = 'A code is on its way. You can ask for another one in 45 seconds.'
    expect(worded(table, refused('code-issued', wait))).toMatchObject({ status: 429, error: onItsWay })
    const later = 'Too many requests. Please try again in 45 seconds.'
    expect(worded(table, refused('slow-down', wait))).toMatchObject({ status: 429, error: later })
  }
  expect(worded(SEND_CODE_WORDS, refused('mail-failed'))).toMatchObject({ status: 502, error: 'Failed to send code.' })
  expect(worded(FORGOT_WORDS, refused('mail-down'))).toMatchObject({ status: 503, error: 'Failed to send reset email' })
  const code = 'Incorrect code. Please check again.'
  expect(worded(VERIFY_CODE_WORDS, refused('wrong-code'))).toMatchObject({ status: 400, error: code, fields: { code } })
})

test('a new password is refused by the field that asks for it', () => {
  const words = resetWords({ passwordMin: 8 })
  const short = 'Password must be at least 8 characters.'
  expect(worded(words, refused('too-short'))).toMatchObject({ status: 400, fields: { newPassword: short } })
  const differ = 'Passwords do not match.'
  expect(worded(words, refused('passwords-differ'))).toMatchObject({ status: 400, fields: { confirm: differ } })
})
