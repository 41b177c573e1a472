import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { createPasswordPolicy } from '../../services/password-policy.ts'
import { createPasswords } from '../../services/passwords.ts'
import { createQueue } from '../../services/queue.ts'

const check = createPasswordPolicy()
const TOO_COMMON = { ok: false, reason: 'common' }

test('the 3,000 most common passwords of six and more characters are refused', async () => {
  const common = dictionary['passwords-common'].map(String).filter((word) => [...word].length >= 6)
  expect(common.length).toBeGreaterThan(42_000)
  const verdicts = await Promise.all(common.slice(0, 3000).map((word) => check(word)))
  expect(verdicts.filter((verdict) => verdict.ok)).toEqual([])
  expect(await check((common[0] ?? '').toUpperCase())).toEqual(TOO_COMMON)
})

test('a long enough, unusual password is accepted, in any script', async () => {
  for (const good of ['correct horse battery', 'грустный-слон-7', 'tr0ub4dor&3x', '🦊🐻🐼🦁🐯🐸🐙🦄🐝']) {
    expect(await check(good)).toEqual({ ok: true })
  }
})

test('length counts characters, from six to 128', async () => {
  expect(await check('q7!xZ')).toEqual({ ok: false, reason: 'too-short' })
  expect(await check('🦊🐻🐼')).toEqual({ ok: false, reason: 'too-short' })
  expect(await check('xk 7'.repeat(32))).toEqual({ ok: true })
  expect(await check(`${'xk 7'.repeat(32)}!`)).toEqual({ ok: false, reason: 'too-long' })
  expect(await createPasswordPolicy({ minLength: 12 })('q7!xZp$9w')).toMatchObject({ ok: false })
})

test('one that starts or ends with a space of any kind is refused; spaces within it are not', async () => {
  for (const outer of [' ', '\t', '\u00a0', '\u3000']) {
    expect(await check(`${outer}copper-meadow-77`)).toEqual({ ok: false, reason: 'outer-spaces' })
    expect(await check(`copper-meadow-77${outer}`)).toEqual({ ok: false, reason: 'outer-spaces' })
  }
  expect(await check('copper meadow 77')).toEqual({ ok: true })
})

test('six or seven characters have to be hard to guess', async () => {
  expect(await check('ann123')).toEqual({ ok: false, reason: 'common' })
  expect(await check('q7!xZp$')).toEqual({ ok: true })
})

test('names, the address and the name of the product are refused', async () => {
  const ann = { email: 'ann.meyer@example.com', firstName: 'Annika', lastName: 'Meyerling' }
  expect(await check('xx-ann.meyer-99', ann)).toEqual({ ok: false, reason: 'personal' })
  expect(await check('aNNika is here', ann)).toMatchObject({ ok: false })
  expect(await check('the MEYERLING 5', ann)).toMatchObject({ ok: false })
  expect(await check('my buzz is loud')).toEqual(TOO_COMMON)
  expect(await check('a long sentence', { email: 'a@example.com', firstName: 'Al' })).toEqual({ ok: true })
})

test('one character repeated and straight runs are refused', async () => {
  for (const bad of ['zzzzzzzzzzzz', '3456789:;<', 'nmlkjihgf', '🦊🦊🦊🦊🦊🦊🦊'])
    expect(await check(bad)).toEqual(TOO_COMMON)
})

const HOME = '203.0.113.1'

test('a hash is argon2id of the stated cost and opens with its own password alone', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('correct horse', HOME)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(hash, 'correct horse', HOME)).toBe(true)
  expect(await passwords.verify(hash, 'correct horse ', HOME)).toBe(false)
  expect(await passwords.verify(hash, 'x'.repeat(2000), HOME)).toBe(false)
  expect(await passwords.verifyDummy('correct horse', HOME)).toBe(false)
})

test('a password is the same in composed and decomposed form', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('caf\u00e9 au lait', HOME)
  expect(await passwords.verify(hash, 'cafe\u0301 au lait', HOME)).toBe(true)
})

test('no more than four run at once, and all get their turn in order', async () => {
  const inTurn = createQueue(4)
  let [running, most] = [0, 0]
  const order: number[] = []
  const task = (n: number) => async () => {
    most = Math.max(most, ++running)
    order.push(n)
    await new Promise(setImmediate)
    running--
    if (n === 5) throw new Error('task five failed')
  }
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => inTurn(task(n))))
  expect(most).toBe(4)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})

test('a password from another network waits for few of a storm from one', async () => {
  const passwords = createPasswords()
  let compared = 0
  const storm = Array.from({ length: 40 }, () => passwords.verifyDummy('guess', HOME).finally(() => compared++))
  await passwords.verifyDummy('one’s own', '198.51.100.1')
  expect(compared).toBeLessThan(15)
  await Promise.all(storm)
})

test('lines take turns, however many wait in one', async () => {
  const inTurn = createQueue(1)
  const order: string[] = []
  const task = (name: string) => inTurn(async () => void order.push(name), name[0])
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(task))
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('a password that nobody waits for any more as its turn comes is not compared, whoever’s it would be', async () => {
  const left = new AbortController()
  const passwords = createPasswords(createQueue(1))
  const first = passwords.verifyDummy('guess', HOME)
  const known = passwords.verify('no hash, which a comparison would refuse', 'guess', HOME, left.signal)
  const unknown = passwords.verifyDummy('guess', HOME, left.signal)
  const waits = passwords.verifyDummy('guess', HOME, new AbortController().signal)
  left.abort()
  const results = await Promise.allSettled([first, known, unknown, waits])
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual([
    false,
    left.signal.reason,
    left.signal.reason,
    false,
  ])
})

test('a comparison for nobody that found no turn spoils no later one', async () => {
  let tries = 0
  const passwords = createPasswords(async (work) => {
    if (tries++ === 0) throw new Error('no turn')
    return work()
  })
  await expect(passwords.verifyDummy('guess', '192.0.2.1')).rejects.toThrow('no turn')
  expect(await passwords.verifyDummy('guess', '192.0.2.1')).toBe(false)
})
