import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AddressId, MemberId } from '../../domain/shared/ids.ts'
import { createAddresses } from '../../services/addresses.ts'
import { createCredentials } from '../../services/credentials.ts'
import { randomId } from '../../services/random-id.ts'
import { createSignupProofs } from '../../services/signup-proofs.ts'
import { appDatabase, MASTER_KEY, testClock } from './support/app.ts'

const app = appDatabase()
const now = testClock()
const addresses = () => createAddresses({ db: app.db })
const proofs = () => createSignupProofs({ db: app.db, now, masterKey: MASTER_KEY })
const id = () => randomId() as AddressId
const key = () => createHash('sha256').update(randomUUID()).digest('hex')

test('of any number at once one gives the address its id, and all learn the same', async () => {
  for (let round = 0; round < 10; round++) {
    const emailKey = key()
    const given = await Promise.all(Array.from({ length: 20 }, () => addresses().give({ emailKey, id: id() })))
    expect(new Set(given).size).toBe(1)
    expect(await addresses().find(emailKey)).toBe(given[0])
    expect(await addresses().give({ emailKey, id: id() })).toBe(given[0])
  }
})

test('an id that is removed takes no other of its address along', async () => {
  const emailKey = key()
  const first = await addresses().give({ emailKey, id: id() })
  await addresses().remove(first!)
  expect(await addresses().find(emailKey)).toBeNull()
  const second = await addresses().give({ emailKey, id: id() })
  expect(second).not.toBe(first)
  await addresses().remove(first!)
  expect(await addresses().find(emailKey)).toBe(second)
})

test('a registration that has lost its lease gives no id', async () => {
  const emailKey = key()
  const { token, id: proof } = await proofs().issue({ email: 'ann@example.com', emailKey })
  const leased = await proofs().lease(token)
  if (!leased.ok) throw new Error(leased.reason)
  const under = { proof, lease: leased.lease }
  await proofs().refuse(emailKey)
  expect(await addresses().give({ emailKey, id: id(), under })).toBeNull()
  expect(await addresses().find(emailKey)).toBeNull()
})

test('an address is in use while there is a credential or a proof of it', async () => {
  const credentials = createCredentials({ db: app.db, now, emailPepper: 'pepper' })
  const [signedUp, signingUp, nobody] = [key(), key(), key()]
  const member = randomId() as MemberId
  await credentials.create({ member, emailKey: signedUp, passwordHash: null })
  await proofs().issue({ email: 'bea@example.com', emailKey: signingUp })
  for (const emailKey of [signedUp, signingUp, nobody]) await addresses().give({ emailKey, id: id() })
  const used = async (emailKey: string) => addresses().isInUse((await addresses().find(emailKey))!)
  const among = async (emailKey: string) =>
    (await addresses().listWithoutCredential()).includes((await addresses().find(emailKey))!)
  expect([await used(signedUp), await used(signingUp), await used(nobody)]).toEqual([true, true, false])
  expect([await among(signedUp), await among(signingUp), await among(nobody)]).toEqual([false, true, true])
  await credentials.remove(member)
  expect([await used(signedUp), await among(signedUp)]).toEqual([false, true])
})
