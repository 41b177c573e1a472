import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../../server/config.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { reapplyErasures } from '../../../server/tools/erasure/reapply.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { startWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  const roles = new Set([...loadConfig({}).roles].filter((role) => role !== 'reactors'))
  world = await startWorld({ web: false, config: { roles } })
})
afterAll(() => world.stop())

test('a start goes on where a file of an erasure cannot be removed, reports it, and ends the others', async () => {
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  const denied = Object.assign(new Error('permission denied'), { code: 'EACCES' })
  const { media } = world.services
  const removeAll: typeof media.removeAll = async (owner) => {
    if ('member' in owner && owner.member === ann.id) throw denied
    return media.removeAll(owner)
  }
  const whole = { ...world.product, now: () => new Date() }
  const stuck = { ...whole, services: { ...world.services, media: { ...media, removeAll } } }
  const interrupted = async () => Promise.reject(new Error('interrupted'))
  const cut = { ...whole, services: { ...world.services, media: { ...media, removeAll: interrupted } } }
  await expect(eraseAccount(erasingOf(stuck, 'admin:test'), ann.id)).rejects.toThrow('permission denied')
  await expect(eraseAccount(erasingOf(cut, 'admin:test'), bea.id)).rejects.toThrow('interrupted')
  await world.settled()
  const reported: unknown[] = []
  expect(await reapplyErasures(stuck, (error) => void reported.push(error))).toEqual({ again: 0, finished: 1 })
  expect(reported).toEqual([denied])
  expect(await reapplyErasures(whole)).toEqual({ again: 0, finished: 1 })
})
