import { expect, onTestFinished, test } from 'vitest'
import { countAccounts } from '../../../projections/accounts/queries.ts'
import { ensureDemoWorld } from '../../../server/demo/world.ts'
import { startWorld } from '../../support/world.ts'

test('no demo world is made where a real member exists', async () => {
  const world = await startWorld({ web: false })
  onTestFinished(() => world.stop())
  await world.member('Ann')
  const { core, services } = world
  const login = await ensureDemoWorld({
    core,
    services,
    now: () => new Date(),
    dataDir: world.dataDir,
    print: () => expect.fail('It says something.'),
  })
  expect(login).toBeNull()
  expect(await countAccounts(world.read)).toEqual({ members: 1, demo: 0 })
})
