import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../../server/config.ts'
import { reapplyErasures } from '../../../server/tools/erasure/reapply.ts'
import { countVainWaits, holdBack } from '../../projections/behind.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

const MANY = 4
/** Without reactors: what a start leaves stays so until the next. */
let world: World

beforeAll(async () => {
  world = await startWorld({ web: false, config: { roles: new Set([...loadConfig({}).roles].filter(notReactors)) } })
})
afterAll(() => world.stop())

const notReactors = (role: string) => role !== 'reactors'
const partsWith = (services: World['services']) => ({ ...world.product, services, now: () => new Date() })

async function blocked(count: number): Promise<{ people: Person[]; by: Person }> {
  const by = await world.member('Bea')
  const people: Person[] = []
  for (let n = 0; n < count; n++) people.push(await world.join('Ann'))
  await world.settled()
  for (const person of people) await world.block(by, person)
  await world.settled()
  return { people, by }
}

const credentialsOf = async (people: readonly Person[]) => {
  const found = await Promise.all(people.map(({ id }) => world.services.credentials.findByMember(id)))
  return found.filter((credential) => credential !== null).length
}

/** Starts while the read model is paused, and once more after. `meanwhile`: what comes that it does not show yet. */
async function startTwice(people: readonly Person[], by: Person, meanwhile = async () => {}) {
  const letGo = await holdBack(world, 'histories')
  onTestFinished(letGo)
  await meanwhile()
  const waits = countVainWaits(world.services)
  const behind = await reapplyErasures(partsWith({ ...world.services, ...waits }))
  expect(behind).toEqual({ again: 0, finished: 0 })
  expect([waits.vain(), await credentialsOf(people)]).toEqual([1, MANY])
  await letGo()
  await world.settled()
  expect(await reapplyErasures(partsWith(world.services))).toEqual({ again: 0, finished: MANY })
  expect(await credentialsOf(people)).toBe(0)
  for (const { email } of people)
    expect(await world.services.keptBlocks.list(world.services.credentials.emailKey(email))).toEqual([by.id])
}

test('a start that finishes many erasures waits for a read model that is behind once, not for each', async () => {
  const { people, by } = await blocked(MANY)
  await startTwice(people, by, async () => {
    for (const person of people) await world.account(person, 'EraseAccount')
    expect(await world.services.upToDate(['accounts'])).toBe(true)
  })
})

test('a start that erases many once more ends all accounts before it waits, and keeps the blocks of each', async () => {
  const { people, by } = await blocked(MANY)
  await world.services.erasure.ledger.add(people.map(({ id }) => id))
  await startTwice(people, by)
})

test('a start erases once more whose account the read model has in quarantine alone', async () => {
  const person = await world.join('Ann')
  await world.settled()
  await world.services.erasure.ledger.add([person.id])
  const { pool } = world.product.core.storage
  await pool.query('delete from read.account where member = $1', [person.id])
  await pool.query(
    `insert into app.quarantine (name, version, generation, key, position, event_id, stream, revision, type, reason, at)
     select name, version, generation, $1, position, gen_random_uuid(), 'member-' || $1, 0, 'MemberRegistered', 'odd', now()
     from app.projection where name = 'accounts' and state = 'live'`,
    [person.id],
  )
  expect(await reapplyErasures(partsWith(world.services))).toEqual({ again: 1, finished: 0 })
})

test('a start before whose accounts the log is ahead asks it about several of the erased at once', async () => {
  const { pool } = world.product.core.storage
  await pool.query(
    `insert into app.destroyed_key (subject, destroyed_at, settled_at) select 'erasedlongago' || lpad(n::text, 11, '0'), now(), now()
     from generate_series(1, 40) n`,
  )
  let [asking, most] = [0, 0]
  const loadState: World['core']['loadState'] = async (...asked) => {
    most = Math.max(most, ++asking)
    return world.core.loadState(...asked).finally(() => asking--)
  }
  const behind = {
    ...partsWith({ ...world.services, upToDate: async () => false }),
    core: { ...world.core, loadState },
  }
  expect(await reapplyErasures(behind)).toEqual({ again: 0, finished: 0 })
  expect(most).toBe(16)
})
