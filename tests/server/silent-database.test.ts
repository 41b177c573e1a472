import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openStorage, type Storage } from '../../server/storage.ts'
import { testDatabase } from '../support/postgres.ts'
import { wayTo } from '../support/servers/way-to.ts'
import { productTemplate } from '../support/templates/product.ts'

test('behind a network that fell silent keys are asked for over connections that answer', {
  timeout: 20_000,
}, async () => {
  const database = await testDatabase({ template: productTemplate })
  let storage: Storage | undefined
  // Behind the end of the way, and with it of what is silent.
  onTestFinished(async () => {
    await storage?.close()
    await database.drop()
  })
  const { silence, ...address } = await wayTo(database.config)
  storage = await openStorage({ ...database.config, ...address }, { silentMs: 400 })
  const keys = createKeyRing(storage.pool, randomBytes(32))
  const makeKeyOf = (subject: string) => keys.ensure([subject], (made) => made.isDestroyed(subject))
  await makeKeyOf('first')
  silence()
  await expect(makeKeyOf('second')).rejects.toThrow('silent')
  expect(await makeKeyOf('second')).toBe(false)
})
