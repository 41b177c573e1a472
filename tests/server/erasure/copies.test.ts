import { afterAll, beforeAll, expect, test } from 'vitest'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ web: false })
})
afterAll(() => world.stop())

test('a copy that a partner asks for before the read models have let go of the erased member is made anew', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  const { exports } = world.services
  const context = erasingOf({ ...world.product, now: () => new Date() }, ann.id)
  let asked = ''
  const upToDate: typeof context.upToDate = async (models) => {
    if (!models) asked = (await exports.ask(bea.id)).id
    return context.upToDate(models)
  }
  expect(await eraseAccount({ ...context, upToDate }, ann.id)).toMatchObject({ ok: true })
  expect(asked).not.toBe('')
  expect(await exports.find(bea.id, asked)).toBeNull()
  expect((await exports.findLatest(bea.id))?.id).toMatch(/^[0-9a-z]{20,}$/)
})
