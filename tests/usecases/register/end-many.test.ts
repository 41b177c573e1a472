import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createUnfinishedSweep } from '../../../server/tools/erasure/unfinished.ts'
import { LEASE_MS } from '../../../services/proof-leases.ts'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import { countVainWaits, holdBack } from '../../projections/behind.ts'
import { blockedNewcomer, interruptedAt, REGISTERED, startRegistering, type Visitor } from './stepwise.ts'

const HOUR = 3_600_000
const MANY = 4
const { world, blocker, people, pass, now } = await startRegistering()
afterAll(() => world.stop())

test('a sweep of many waits for a read model that is behind once, and leaves what that would show to the next', async () => {
  const visitors: Visitor[] = []
  for (let n = 0; n < MANY; n++)
    visitors.push(await interruptedAt(world, REGISTERED, await blockedNewcomer(world, blocker)))
  const credentials = async () => {
    const ids = visitors.map(({ proof }) => memberOfProof({ id: proof }))
    const found = await Promise.all(ids.map(world.services.credentials.findByMember))
    return found.filter((credential) => credential !== null).length
  }
  pass(3 * HOUR)
  const letGo = await holdBack(world, 'histories')
  onTestFinished(letGo)
  const waits = countVainWaits(world.services)
  const sweep = createUnfinishedSweep({ ...world.product, services: { ...world.services, ...waits }, now })
  await expect(sweep.sweep()).rejects.toThrow('Read models are behind')
  expect([waits.vain(), await credentials()]).toEqual([1, MANY])
  await letGo()
  await world.settled()
  pass(LEASE_MS)
  await people.sweep()
  expect(await credentials()).toBe(0)
  for (const visitor of visitors) {
    const emailKey = world.services.credentials.emailKey(visitor.email)
    expect([await people.accountsOf(visitor), await world.services.keptBlocks.list(emailKey)]).toEqual([
      0,
      [blocker.id],
    ])
  }
})
