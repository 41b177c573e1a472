import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../server/config.ts'
import { VARIABLES } from '../../server/config-variables.ts'

const KEY = Buffer.from(Array.from({ length: 32 }, (_, n) => n + 7)).toString('base64')
const PEPPER = 'a pepper that somebody drew once.'
const SECRET = 'media secrets are drawn as well...'
const PRODUCTION = {
  APP_MODE: 'production',
  PUBLIC_URL: 'https://letsbuzz.example',
  DATABASE_URL: 'postgres://app:hidden-pw@db/letsbuzz?sslmode=verify-full',
  EVENTSTORE_URL: 'esdb://log:2113?tls=true',
  SMTP_URL: 'smtps://mail:hidden-pw@mail',
  MASTER_KEY: KEY,
  EMAIL_PEPPER: PEPPER,
  MEDIA_SECRET: SECRET,
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('an empty environment is local mode on the loopback with everything embedded', () => {
  expect(loadConfig({})).toMatchObject({
    mode: 'local',
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    publicUrl: 'http://localhost:3000',
    trustProxy: false,
    databaseUrl: null,
    eventstoreUrl: null,
    smtpUrl: null,
    rateLimits: true,
    passwordMin: 6,
    logLevel: 'warn',
    roles: new Set(['web', 'realtime', 'projector', 'reactors', 'log']),
    webWorkers: 1,
  })
})

test('an empty variable counts as not set', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: '', APP_MODE: '' })).toEqual(loadConfig({}))
})

test.each([
  ['PORT', 'three', 'PORT wants a whole number from 0 to 65535, not "three".'],
  ['PORT', '70000', 'PORT wants a whole number from 0 to 65535, not "70000".'],
  ['WEB_WORKERS', '0', 'WEB_WORKERS wants a whole number from 1 to 16, not "0".'],
  ['WEB_WORKERS', '17', 'WEB_WORKERS wants a whole number from 1 to 16, not "17".'],
  ['SHARED_LIMITS', '3900', 'SHARED_LIMITS wants host:port, such as 127.0.0.1:3900, not "3900".'],
  ['LOG_PORT', '-1', 'LOG_PORT wants a whole number from 0 to 65535, not "-1".'],
  ['APP_MODE', 'dev', 'APP_MODE wants local or production, not "dev".'],
  ['PUBLIC_URL', 'letsbuzz', 'PUBLIC_URL wants an address such as https://letsbuzz.example, not "letsbuzz".'],
  ['PUBLIC_URL', 'https://a.example/b', 'PUBLIC_URL wants no path, query or name, not "https://a.example/b".'],
  ['TRUST_PROXY', 'maybe', 'TRUST_PROXY wants 1 (yes) or 0 (no), not "maybe".'],
  ['ALLOW_EMBEDDED', '2', 'ALLOW_EMBEDDED wants 1 (yes) or 0 (no), not "2".'],
  ['EVENTSTORE_URL', 'http://x', 'EVENTSTORE_URL wants an address such as esdb://127.0.0.1:2113?tls=false.'],
  [
    'EVENTSTORE_URL',
    'esdb+discover://log?Node-Preference=random',
    'EVENTSTORE_URL wants no other nodePreference than leader.',
  ],
  ['DATABASE_URL', 'mysql://x', 'DATABASE_URL wants an address such as postgres://name:password@host/letsbuzz.'],
  ['SMTP_URL', 'mail', 'SMTP_URL wants an address such as smtps://name:password@host.'],
  ['MASTER_KEY', 'short', 'MASTER_KEY wants 32 random bytes in base64, as openssl rand -base64 32 makes.'],
  ['EMAIL_PEPPER', 'short', 'EMAIL_PEPPER wants at least 32 random characters.'],
  ['MEDIA_SECRET', 'short', 'MEDIA_SECRET wants at least 32 random characters.'],
  [
    'ROLES',
    'web,cook',
    'ROLES wants some of web,realtime,projector,reactors,log, separated by commas, not "web,cook".',
  ],
  ['RATE_LIMITS', 'no', 'RATE_LIMITS wants on or off, not "no".'],
  ['PASSWORD_MIN', '5', 'PASSWORD_MIN wants a whole number from 6 to 64, not "5".'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL wants one of fatal, error, warn, info, debug, trace, silent, not "loud".'],
])('%s=%s is refused by name', (name, value, problem) => {
  expect(problemsOf({ [name]: value })).toEqual([problem])
})

test('all problems are reported at once', () => {
  const problems = problemsOf({ APP_MODE: 'production', PORT: 'x', LOG_LEVEL: 'y' })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
    'PORT',
    'LOG_LEVEL',
    'MASTER_KEY',
    'EMAIL_PEPPER',
    'MEDIA_SECRET',
    'PUBLIC_URL',
    'SMTP_URL',
    'DATABASE_URL',
    'EVENTSTORE_URL',
  ])
})

describe('production mode', () => {
  test('starts with everything it needs', () => {
    const config = loadConfig(PRODUCTION)
    expect(config).toMatchObject({
      logLevel: 'info',
      mode: 'production',
      host: '0.0.0.0',
      publicUrl: 'https://letsbuzz.example',
    })
  })

  test.each(Object.keys(PRODUCTION).filter((name) => name !== 'APP_MODE'))('names %s when it is missing', (name) => {
    const problems = problemsOf({ ...PRODUCTION, [name]: '' })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} is missing: production mode wants`))
  })

  test('takes the embedded parts, not the development mailbox, with ALLOW_EMBEDDED=1', () => {
    const without = { ...PRODUCTION, ALLOW_EMBEDDED: '1', DATABASE_URL: '', EVENTSTORE_URL: '' }
    expect(problemsOf(without)).toEqual([])
    expect(problemsOf({ ...without, SMTP_URL: '' })).toHaveLength(1)
  })

  test('refuses to lift the rate limits, and plain http', () => {
    expect(problemsOf({ ...PRODUCTION, RATE_LIMITS: 'off' })).toEqual(['RATE_LIMITS=off is for local mode alone.'])
    expect(problemsOf({ ...PRODUCTION, PUBLIC_URL: 'http://letsbuzz.example' })).toEqual([
      'PUBLIC_URL wants https:// in production mode.',
    ])
    expect(loadConfig({ RATE_LIMITS: 'off' }).rateLimits).toBe(false)
  })

  test('refuses NODE_TLS_REJECT_UNAUTHORIZED=0, with which no line checks who answers', () => {
    const open = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
    expect(problemsOf({ ...PRODUCTION, ...open })).toEqual([
      'NODE_TLS_REJECT_UNAUTHORIZED=0 is for local mode alone: no certificate would be checked.',
    ])
    expect(problemsOf({ ...PRODUCTION, ...open, PORT: 'x' })).toHaveLength(2)
    expect(problemsOf({ ...PRODUCTION, NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([])
    expect(problemsOf(open)).toEqual([])
  })

  test.each([
    ['DATABASE_URL', 'postgres://app:pw@db/letsbuzz', 'postgres://app:pw@127.0.0.1/letsbuzz'],
    ['DATABASE_URL', 'postgres://app:pw@db/letsbuzz?sslmode=no-verify', 'postgres:///letsbuzz?host=/run/postgres'],
    ['EVENTSTORE_URL', 'esdb://log:2113?tls=false', 'esdb://localhost:2113?tls=false'],
    ['SMTP_URL', 'smtp://mail', 'smtp://mail?requireTLS=true'],
  ])('refuses %s=%s, which anybody on the way can read', (name, open, safe) => {
    expect(problemsOf({ ...PRODUCTION, [name]: open }).map((problem) => problem.split(' wants ')[0])).toEqual([name])
    expect(problemsOf({ ...PRODUCTION, [name]: open, PLAINTEXT_HOSTS: 'other, db,log,mail' })).toEqual([])
    expect(problemsOf({ ...PRODUCTION, [name]: safe })).toEqual([])
    expect(problemsOf({ [name]: open })).toEqual([])
  })

  test.each([
    ['DATABASE_URL', 'postgres://u:p@db/x?sslmode=require&sslmode=disable'],
    ['DATABASE_URL', 'postgres://u:p@127.0.0.1/x?host=db.example'],
    ['DATABASE_URL', 'postgres://u:p@db/x?host=/run/postgres&host=db.example'],
    ['DATABASE_URL', 'postgres://u:p@db/x?sslmode=require&uselibpqcompat=true'],
    ['DATABASE_URL', `postgres://u:p@db/x?sslmode=require&uselibpqcompat=true&sslrootcert=${import.meta.filename}`],
    ['DATABASE_URL', 'postgres://u:p@db/x?SSLMODE=verify-full'],
    ['EVENTSTORE_URL', 'esdb://log:2113?Tls=false'],
    ['EVENTSTORE_URL', 'esdb://log:2113?T_L-s=false'],
    ['EVENTSTORE_URL', 'esdb://log:2113?tls=true&tls=false'],
    ['EVENTSTORE_URL', 'esdb://log:2113?connectionName=a#b&tls=false'],
    ['EVENTSTORE_URL', 'esdb://127.0.0.1,log?tls=false'],
    ['EVENTSTORE_URL', 'esdb://localhost:1?connectionName=a@log?tls=false'],
    ['SMTP_URL', 'smtps://u:p@mail?secure=false'],
    ['SMTP_URL', 'smtp://u:p@mail?requireTLS=true&ignoreTLS=true'],
    ['SMTP_URL', 'smtp://u:p@mail?requireTLS=true&requireTLS=false'],
    ['SMTP_URL', 'smtp://u:p@mail?requireTLS=true&opportunisticTLS=1'],
    ['SMTP_URL', 'smtps://u:p@mail?tls.rejectUnauthorized=false'],
    ['SMTP_URL', 'smtps://u:p@mail?tls[rejectUnauthorized]=false'],
    ['SMTP_URL', 'smtps://u:p@mail?secured=true'],
    ['SMTP_URL', 'smtps://u:p@mail?service=Maildev'],
  ])('refuses %s=%s, whatever it seems to say', (name, open) => {
    expect(problemsOf({ ...PRODUCTION, [name]: open })).toEqual([
      expect.stringMatching(`^${name} wants TLS in production`),
    ])
    expect(problemsOf({ ...PRODUCTION, [name]: open, PLAINTEXT_HOSTS: 'db,db.example,log,mail' })).toEqual([])
  })

  test('takes several hosts of a log without TLS where each of them is named', () => {
    const env = { ...PRODUCTION, EVENTSTORE_URL: 'esdb://name:pw@a,b?tls=false' }
    expect(problemsOf({ ...env, PLAINTEXT_HOSTS: 'a,b' })).toEqual([])
    expect(problemsOf({ ...env, PLAINTEXT_HOSTS: 'a' })).toHaveLength(1)
  })

  test('refuses an address that its client throws at, and shows nothing of it', () => {
    const address = 'postgres://u:hidden-pw@db/x?sslmode=verify-full&sslrootcert=/no/such/file'
    expect(problemsOf({ ...PRODUCTION, DATABASE_URL: address })).toEqual([
      'DATABASE_URL wants an address that its client understands, and the files that it names.',
    ])
  })

  test('refuses secrets that nobody drew, and one used twice', () => {
    const zero = Buffer.alloc(32).toString('base64')
    expect(problemsOf({ ...PRODUCTION, MASTER_KEY: zero })).toEqual([
      'MASTER_KEY wants random characters, each its own draw.',
    ])
    expect(problemsOf({ ...PRODUCTION, EMAIL_PEPPER: 'k'.repeat(40) })).toHaveLength(1)
    expect(problemsOf({ ...PRODUCTION, EMAIL_PEPPER: SECRET })).toEqual([
      'MASTER_KEY, EMAIL_PEPPER and MEDIA_SECRET want to be different: who learns one must not have another.',
    ])
    const drawn = Buffer.from(KEY, 'base64').reverse()
    const media = { ...PRODUCTION, MEDIA_SECRET: drawn.toString('base64') }
    for (const again of [
      ` ${media.MEDIA_SECRET}`,
      media.MEDIA_SECRET.replace(/=+$/, ''),
      drawn.toString('hex'),
      drawn.toString('base64url'),
    ])
      expect(problemsOf({ ...media, EMAIL_PEPPER: again }), again).toHaveLength(1)
    expect(problemsOf({ MASTER_KEY: zero })).toEqual([])
    expect(problemsOf({ ...PRODUCTION, MASTER_KEY_OLD: zero })).toEqual([])
    expect(problemsOf({ ...PRODUCTION, MASTER_KEY_OLD: PRODUCTION.MASTER_KEY })).toHaveLength(1)
    // The last digit before the filler has two bits of no meaning.
    const same = KEY.replace(/.(?==$)/, (digit) => String.fromCharCode(digit.charCodeAt(0) + 1))
    expect(Buffer.from(same, 'base64')).toEqual(Buffer.from(KEY, 'base64'))
    expect(problemsOf({ ...PRODUCTION, MASTER_KEY_OLD: same })).toHaveLength(1)
    expect(problemsOf({ ...PRODUCTION, MASTER_KEY_NEXT: zero })).toHaveLength(1)
  })

  test('no message holds a secret or the password in an address', () => {
    const env = {
      ...PRODUCTION,
      MASTER_KEY: 'hidden-key',
      DATABASE_URL: 'mysql://a:hidden-pw@b',
      EMAIL_PEPPER: 'hidden',
    }
    const text = problemsOf(env).join('\n')
    expect(text).toContain('MASTER_KEY')
    expect(text).not.toContain('hidden')
  })
})

test('a process without the log role needs the addresses of log and rows', () => {
  expect(problemsOf({ ROLES: 'web' }).map((problem) => problem.split(' ')[0])).toEqual([
    'DATABASE_URL',
    'EVENTSTORE_URL',
  ])
  expect(problemsOf({ ROLES: 'log' })).toEqual([])
})

test('workers want something to serve', () => {
  expect(problemsOf({ ROLES: 'projector,log', WEB_WORKERS: '2' })).toEqual([
    'WEB_WORKERS wants web or realtime among ROLES: its processes serve pages and sockets.',
  ])
  expect(loadConfig({ ROLES: 'realtime,log', WEB_WORKERS: '2' }).webWorkers).toBe(2)
})

test('where limits are shared is a host and a port, and by default nowhere', () => {
  expect(loadConfig({ SHARED_LIMITS: '[::1]:3900' }).sharedLimits).toEqual({ host: '::1', port: 3900 })
  expect(loadConfig({}).sharedLimits).toBeNull()
})

test('.env.example names every variable and nothing else', () => {
  const example = readFileSync('.env.example', 'utf8')
  const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1])
  expect(named.sort()).toEqual([...VARIABLES].sort())
})
