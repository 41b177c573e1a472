import { expect, test } from 'vitest'
import { WORKER_LIMITS } from '../../services/media/workers/limits.ts'
import { createTurns, type TurnRules } from '../../services/media/workers/turns.ts'

/** Works that `end` ends; `begun` has their names in the order in which they began. */
function start(limits: Partial<typeof WORKER_LIMITS>) {
  let at = 0
  const pass = (ms: number) => {
    at += ms
  }
  const { inTurn, charge, close } = createTurns({ ...WORKER_LIMITS, waitMs: 60_000, ...limits }, () => at)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const send = (name: string, rules: TurnRules = {}) => {
    const work = () =>
      new Promise<string>((resolve) => {
        begun.push(name)
        ends.set(name, () => resolve(name))
      })
    return inTurn(name.replace(/\d/, ''), work, rules)
  }
  /** Answers when all that it makes room for has begun. */
  const end = async (name: string, sent: Promise<string | null>) => {
    ends.get(name)?.()
    await sent
    await Promise.resolve()
  }
  return { send, end, begun, charge, close, pass }
}
const passed = () => new Promise<void>((resolve) => setImmediate(resolve))

test('one file of an uploader is under way, also where there is room for two', async () => {
  const { send, end, begun } = start({ workers: 2 })
  const first = send('mallory1')
  void send('mallory2')
  void send('ann1')
  await passed()
  expect(begun).toEqual(['mallory1', 'ann1'])
  await end('mallory1', first)
  expect(begun).toEqual(['mallory1', 'ann1', 'mallory2'])
})

test('whose files took longer comes after the others, however many they have sent', async () => {
  const { send, end, begun, pass } = start({ workers: 1 })
  const slow = send('mallory1')
  for (const name of ['mallory2', 'mallory3']) void send(name)
  await passed()
  const quick = send('ann1')
  void send('bea1')
  pass(9000)
  await end('mallory1', slow)
  expect(begun).toEqual(['mallory1', 'ann1'])
  pass(300)
  await end('ann1', quick)
  expect(begun).toEqual(['mallory1', 'ann1', 'bea1'])
})

test('senders of files that took long share all places but one, and have that one again once it is long ago', async () => {
  const { send, end, begun, pass } = start({ workers: 2 })
  const slow = [send('mallory1'), send('oscar1')] as const
  await passed()
  pass(9000)
  await end('mallory1', slow[0])
  await end('oscar1', slow[1])
  const next = send('mallory2')
  const waiting = send('oscar2')
  await passed()
  expect(begun.slice(2)).toEqual(['mallory2'])
  const quick = send('ann1')
  await passed()
  expect(begun.slice(2)).toEqual(['mallory2', 'ann1'])
  await end('ann1', quick)
  expect(begun.slice(2)).toEqual(['mallory2', 'ann1'])
  await end('mallory2', next)
  await end('oscar2', waiting)
  pass(3_600_000)
  for (const name of ['mallory3', 'oscar3']) void send(name)
  await passed()
  expect(begun.slice(4)).toEqual(['oscar2', 'mallory3', 'oscar3'])
})

test('large files share all places but one: a picture that comes then begins at once', async () => {
  const { send, end, begun } = start({ workers: 2 })
  const first = send('mallory1', { expectedMs: 4_900 })
  for (const name of ['oscar1', 'trudy1']) void send(name, { expectedMs: 4_900 })
  await passed()
  expect(begun).toEqual(['mallory1'])
  for (const name of ['ann1', 'ann2', 'ann3']) void send(name, { expectedMs: 1_500 })
  await passed()
  expect(begun).toEqual(['mallory1', 'ann1'])
  await end('mallory1', first)
  expect(begun).toEqual(['mallory1', 'ann1', 'oscar1'])
})

test('a large file has the only place there is', async () => {
  const { send, begun } = start({ workers: 1 })
  void send('ann1', { expectedMs: 4_900 })
  await passed()
  expect(begun).toEqual(['ann1'])
})

test('whoever is charged comes after others whose files took longer', async () => {
  const { send, end, begun, charge, pass } = start({ workers: 1 })
  for (const [name, ms] of [
    ['mallory1', 100],
    ['ann1', 5_000],
  ] as const) {
    const file = send(name)
    await passed()
    pass(ms)
    await end(name, file)
  }
  charge('mallory', 10_000)
  const under = send('bea1')
  for (const name of ['mallory2', 'ann2']) void send(name)
  await passed()
  await end('bea1', under)
  expect(begun.slice(2)).toEqual(['bea1', 'ann2'])
})

test('who spent alike comes in the order in which their last files began, whoever sends for the first time', async () => {
  const { send, end, begun, pass } = start({ workers: 1 })
  const first = send('ann1')
  await passed()
  pass(300)
  await end('ann1', first)
  const under = send('bea1')
  const sent = ['ann2', 'ann3', 'mallory1', 'oscar1'].map((name) => [name, send(name)] as const)
  await passed()
  await end('bea1', under)
  for (const name of ['ann2', 'mallory1', 'oscar1', 'ann3']) {
    await passed()
    expect(begun.at(-1)).toBe(name)
    await end(name, sent.find(([one]) => one === name)![1])
  }
})

test('a file counts what its process spent, however long others kept it from that', async () => {
  const { send, end, begun, pass } = start({ workers: 2 })
  const slow = [send('ann1', { spentMs: () => 200 }), send('mallory1')] as const
  await passed()
  pass(9_000)
  await end('ann1', slow[0])
  await end('mallory1', slow[1])
  const large = send('oscar1', { expectedMs: 4_900 })
  for (const name of ['mallory2', 'ann2']) void send(name)
  await passed()
  // Not with those who share one place.
  expect(begun.slice(2)).toEqual(['oscar1', 'ann2'])
  await end('oscar1', large)
  expect(begun.slice(4)).toEqual(['mallory2'])
})

test('whoever sends many files, none of which takes long, has any place', async () => {
  const { send, end, begun, pass } = start({ workers: 2 })
  for (const name of ['ann', 'bea'])
    for (const turn of [1, 2, 3, 4, 5]) {
      const file = send(`${name}${turn}`)
      await passed()
      pass(1_000)
      await end(`${name}${turn}`, file)
    }
  for (const name of ['ann6', 'bea6']) void send(name)
  await passed()
  expect(begun.slice(10)).toEqual(['ann6', 'bea6'])
})

test('a file that is under way for long counts for what its sender has taken', async () => {
  const { send, begun, pass, end } = start({ workers: 2 })
  const slow = send('mallory1')
  await passed()
  pass(100_000)
  await end('mallory1', slow)
  void send('oscar1')
  await passed()
  pass(6_000)
  void send('mallory2')
  void send('ann1')
  await passed()
  expect(begun).toEqual(['mallory1', 'oscar1', 'ann1'])
})

test('when too many wait, whoever has sent most loses the newest', async () => {
  const { send, close } = start({ workers: 1, mostWaiting: 3 })
  void send('mallory1')
  const [second, third, fourth] = ['mallory2', 'mallory3', 'mallory4'].map((name) => send(name))
  const ann = send('ann1')
  expect(await fourth).toBeNull()
  const bea = send('bea1')
  expect(await third).toBeNull()
  close()
  expect(await Promise.all([second, ann, bea])).toEqual([null, null, null])
  expect(await send('ann2')).toBeNull()
})

test('what files have taken fades, so that who sent much long ago comes before who sent a little just now', async () => {
  const { send, end, begun, pass } = start({ workers: 1 })
  const slow = send('mallory1')
  await passed()
  pass(100_000)
  await end('mallory1', slow)
  pass(3_600_000)
  const quick = send('ann1')
  await passed()
  pass(1_300)
  await end('ann1', quick)
  const under = send('bea1')
  for (const name of ['ann2', 'mallory2']) void send(name)
  await passed()
  await end('bea1', under)
  expect(begun).toEqual(['mallory1', 'ann1', 'bea1', 'mallory2'])
})

test('where all lines are as long, whoever came last is refused', async () => {
  const { send } = start({ workers: 1, mostWaiting: 2 })
  const refused: string[] = []
  for (const name of ['mallory1', 'ann1', 'bea1', 'cid1']) void send(name).then(() => refused.push(name))
  await passed()
  expect(refused).toEqual(['cid1'])
})

test('who waits too long is refused, and leaves room', async () => {
  const { send, end, begun } = start({ workers: 1, mostWaiting: 1, waitMs: 20 })
  const first = send('mallory1')
  expect(await send('ann1')).toBeNull()
  const bea = send('bea1')
  await end('mallory1', first)
  expect(begun).toEqual(['mallory1', 'bea1'])
  await end('bea1', bea)
  expect(await bea).toBe('bea1')
})
