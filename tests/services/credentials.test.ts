import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createCredentials } from '../../services/credentials.ts'
import { createCodeGuard, createLoginGuard } from '../../services/limits/login-guard.ts'
import { randomId } from '../../services/random-id.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()
const member = () => randomId() as MemberId
const start = () => createCredentials({ db: app.db, now: testClock(), emailPepper: 'pepper' })

test('an address is found whatever its case and outer spaces, and is not stored', async () => {
  const credentials = start()
  const ann = member()
  const emailKey = credentials.emailKey('Ann@Example.com')
  expect(emailKey).toMatch(/^[0-9a-f]{64}$/)
  expect(await credentials.create({ member: ann, emailKey, passwordHash: 'hash' })).toBe(true)
  expect(await credentials.findByEmail('  ann@example.COM ')).toMatchObject({ member: ann, passwordHash: 'hash' })
  const rows = await app.db.selectFrom('credential').selectAll().execute()
  expect(JSON.stringify(rows).toLowerCase()).not.toContain('example.com')
})

test('another pepper gives another key', () => {
  const other = createCredentials({ db: app.db, now: testClock(), emailPepper: 'salt' })
  expect(other.emailKey('ann@example.com')).not.toBe(start().emailKey('ann@example.com'))
})

test('an address has one member, and a repeat is quiet', async () => {
  const credentials = start()
  const [bea, cem] = [member(), member()]
  const emailKey = credentials.emailKey('bea@example.com')
  expect(await credentials.create({ member: bea, emailKey, passwordHash: null })).toBe(true)
  expect(await credentials.create({ member: bea, emailKey, passwordHash: null })).toBe(true)
  expect(await credentials.create({ member: cem, emailKey, passwordHash: null })).toBe(false)
  expect(await credentials.findByMember(cem)).toBeNull()
})

test('with a credential go the failures at its password and at its codes, and no others', async () => {
  const credentials = start()
  const [gil, emailKey] = [member(), credentials.emailKey('gil@example.com')]
  await credentials.create({ member: gil, emailKey, passwordHash: 'old' })
  const other = credentials.emailKey('ida@example.com')
  for (const start of [createLoginGuard, createCodeGuard])
    for (const key of [emailKey, other]) await start({ db: app.db, now: testClock() }).before({ emailKey: key })
  await credentials.remove(gil)
  const left = await app.db.selectFrom('login_guard').select('key').execute()
  expect(left.map(({ key }) => key).sort()).toEqual([other, `code:${other}`].sort())
})

test('a changed password replaces the old, and a removed credential is gone', async () => {
  const credentials = start()
  const dan = member()
  await credentials.create({ member: dan, emailKey: credentials.emailKey('dan@example.com'), passwordHash: 'old' })
  expect(await credentials.changePassword(dan, 'new')).toBe(true)
  expect((await credentials.findByMember(dan))?.passwordHash).toBe('new')
  await credentials.remove(dan)
  expect(await credentials.findByEmail('dan@example.com')).toBeNull()
  expect(await credentials.changePassword(dan, 'newer')).toBe(false)
})
