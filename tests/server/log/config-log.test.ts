import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../../server/config.ts'

const TLS = { LOG_TLS_CERT: '/keys/log.crt', LOG_TLS_KEY: '/keys/log.key' }

test('the embedded log listens on the loopback, without TLS, by default', () => {
  expect(loadConfig({}).logListen).toEqual({ host: '127.0.0.1' })
})

test('certificate, trust and users are handed to the log as they are given', () => {
  const given = { ...TLS, LOG_TLS_CA: '/keys/ca.crt', LOG_HOST: '0.0.0.0', LOG_USERS: 'app:a:b=c,auditor:d' }
  expect(loadConfig(given).logListen).toEqual({
    host: '0.0.0.0',
    tls: { certFile: '/keys/log.crt', keyFile: '/keys/log.key', caFile: '/keys/ca.crt' },
    users: [
      { name: 'app', password: 'a:b=c' },
      { name: 'auditor', password: 'd' },
    ],
  })
})

test.each([
  ['a certificate alone', { LOG_TLS_CERT: '/keys/log.crt' }, 'LOG_TLS_CERT and LOG_TLS_KEY want each other.'],
  ['users without TLS', { LOG_USERS: 'app:hidden' }, 'LOG_USERS wants LOG_TLS_CERT and LOG_TLS_KEY.'],
  ['users that are none', { ...TLS, LOG_USERS: 'hidden' }, 'LOG_USERS wants name:password'],
  ['an open port', { LOG_HOST: '0.0.0.0' }, 'LOG_HOST 0.0.0.0 can be reached by others'],
  ['an open port with TLS for everybody', { ...TLS, LOG_HOST: '10.0.0.7' }, 'LOG_HOST 10.0.0.7 can be reached'],
])('%s is refused, and no password is in the message', (_name, given, message) => {
  expect(() => loadConfig(given)).toThrow(ConfigError)
  expect(() => loadConfig(given)).toThrow(message)
  expect(() => loadConfig(given)).not.toThrow('hidden')
})
