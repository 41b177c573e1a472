import { expect, test } from 'vitest'
import { BARRED_MS, createBarred, createMinors, MINOR_MS } from '../../services/turned-away.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()
const kim = 'a'.repeat(64)

test.each([
  ['someone under eighteen', 'refused_minor', createMinors, MINOR_MS],
  ['a suspended account that was erased', 'barred_address', createBarred, BARRED_MS],
] as const)(
  'the address of %s is turned away for a time that no try makes longer, then forgotten',
  async (...given) => {
    const [, table, create, lastsMs] = given
    const rows = () => app.db.selectFrom(table).selectAll().execute()
    const now = testClock()
    const addresses = create({ db: app.db, now })
    expect(await addresses.isTurnedAway(kim)).toBe(false)
    await addresses.turnAway(kim)
    now.pass(lastsMs - 1)
    await addresses.turnAway(kim)
    expect(await addresses.isTurnedAway(kim)).toBe(true)
    expect(await addresses.sweep()).toBe(0)
    now.pass(1)
    expect(await addresses.isTurnedAway(kim)).toBe(false)
    expect(await addresses.sweep()).toBe(1)
    expect(await rows()).toEqual([])
    await addresses.turnAway(kim)
    expect(await addresses.isTurnedAway(kim)).toBe(true)
    expect(Object.keys((await rows())[0] ?? {})).toEqual(['email_key', 'expires_at'])
  },
)
