import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { loadConfig } from '../../../server/config.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { forgetEnded } from '../../../server/tools/erasure/forget-ended.ts'
import { reapplyErasures } from '../../../server/tools/erasure/reapply.ts'
import { endAccount } from '../../../usecases/identity/erase-account.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  const roles = new Set([...loadConfig({}).roles].filter((role) => role !== 'reactors'))
  world = await startWorld({ web: false, config: { roles } })
})
afterAll(() => world.stop())

test('a process that begins behind the end of an account reads nothing of theirs, and all of the others', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const { core } = world
  // Somebody who is signing up: their key is there before their account.
  const newcomer = `${ann.id.slice(0, -4)}0000`
  await core.keys.ensure([newcomer], () => null)
  await endAccount(erasingOf({ ...world.product, now: () => new Date() }, 'admin:test'), ann.id)
  await world.settled()
  const keys = createKeyRing(core.storage.pool, world.secrets.masterKey)
  const subjects = [ann.id, bea.id, newcomer]
  const gone = () => keys.load(subjects, (loaded) => subjects.map((subject) => loaded.isDestroyed(subject)))
  await forgetEnded({ ...core, keys })
  expect(await gone()).toEqual([true, false, false])
})

test('a start needs no read model of reports, which operators alone read', async () => {
  const { core, product } = world
  const cat = await world.member('Cat')
  await endAccount(erasingOf({ ...product, now: () => new Date() }, 'admin:test'), cat.id)
  await world.settled()
  // As between a first filling that was cut off and the next.
  await core.storage.pool.query('drop view read.report')
  const keys = createKeyRing(core.storage.pool, world.secrets.masterKey)
  await forgetEnded({ ...core, keys })
  expect(await keys.load([cat.id], (loaded) => loaded.isDestroyed(cat.id))).toBe(true)
  expect((await reapplyErasures({ ...product, now: () => new Date() })).finished).toBeGreaterThan(0)
})
