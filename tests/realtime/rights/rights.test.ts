import { expect, onTestFinished, test } from 'vitest'
import type { SessionId } from '../../../domain/shared/ids.ts'
import type { Change } from '../../../realtime/rights/changes.ts'
import { positionAt } from '../../support/recorded.ts'
import { until } from '../../support/until.ts'
import { change, rowsAt, settled, startRights } from '../stored-model.ts'
import { member, pairIdOf } from '../world.ts'

const [ann, bea, cat, dan] = ['Ann', 'Bea', 'Cat', 'Dan'].map((name) => member(`${name} rights`)) as [
  ReturnType<typeof member>,
  ReturnType<typeof member>,
  ReturnType<typeof member>,
  ReturnType<typeof member>,
]

function start(
  log: readonly Change[],
  ...rest: Parameters<typeof startRights> extends [unknown, ...infer R] ? R : never
) {
  const started = startRights(log, ...rest)
  onTestFinished(() => started.rights.stop())
  const question = (number: number) => until(`question ${number}`, () => started.questions[number])
  return { ...started, question }
}

test('nothing is allowed until it is known, and nothing of members who are not here', async () => {
  const log = [change(1, 'matched', ann, bea)]
  const { rights, foldTo, question } = start(log)
  foldTo(1)
  const entered = rights.enter(ann)
  expect([rights.open(ann, bea), rights.unblocked(ann, bea), rights.open(bea, ann)]).toEqual([false, false, false])
  ;(await question(0)).answer(rowsAt(log, 1))
  await entered
  expect([rights.open(ann, bea), rights.unblocked(ann, bea), rights.open(bea, ann)]).toEqual([true, true, false])
})

test('a node ahead of the read model adds what it folded since, and that alone', async () => {
  const log = [
    change(1, 'matched', ann, bea),
    change(2, 'matched', ann, cat),
    change(3, 'blocked', bea, ann),
    change(4, 'matched', ann, dan),
  ]
  const { rights, foldTo, question, questions } = start(log)
  foldTo(4)
  const entered = rights.enter(ann)
  ;(await question(0)).answer(rowsAt(log, 2))
  // Dan became a match after the rows: whether his account is active is asked too.
  ;(await question(1)).answer(rowsAt(log, 2))
  await entered
  expect(questions).toHaveLength(2)
  expect([bea, cat, dan].map((other) => rights.open(ann, other))).toEqual([false, true, true])
  expect(rights.unblocked(ann, bea)).toBe(false)
})

test('rows ahead of the node are not folded over by what they already show', async () => {
  const log = [
    change(1, 'blocked', bea, ann),
    change(2, 'unblocked', bea, ann),
    change(3, 'matched', ann, bea),
    change(4, 'blocked', bea, ann),
    change(5, 'out', cat),
    change(6, 'in', cat),
    change(7, 'out', cat),
  ]
  const { rights, foldTo, question } = start(log)
  foldTo(1)
  const entered = rights.enter(ann)
  ;(await question(0)).answer(rowsAt(log, 7))
  await entered
  const known = rights.know(ann, [bea, cat])
  ;(await question(1)).answer(rowsAt(log, 7))
  await known
  for (let at = 2; at <= 7; at++) {
    foldTo(at)
    expect([rights.unblocked(ann, bea), rights.open(ann, bea), rights.unblocked(ann, cat)]).toEqual([
      false,
      false,
      false,
    ])
  }
})

test('a block during the load counts, whatever the rows show', async () => {
  const log = [change(1, 'matched', ann, bea), change(2, 'blocked', bea, ann)]
  const { rights, foldTo, question } = start(log)
  foldTo(1)
  const entered = rights.enter(ann)
  const asked = await question(0)
  const rows = rowsAt(log, 1)
  foldTo(2)
  asked.answer(rows)
  await entered
  expect(rights.open(ann, bea)).toBe(false)
  expect(rights.unblocked(ann, bea)).toBe(false)
})

test('an account that ends during the load counts, also one of a match', async () => {
  const log = [change(1, 'matched', ann, bea), change(2, 'out', bea), change(3, 'out', ann), change(4, 'in', ann)]
  const { rights, foldTo, question } = start(log)
  foldTo(1)
  const entered = rights.enter(ann)
  const asked = await question(0)
  const rows = rowsAt(log, 1)
  foldTo(3)
  asked.answer(rows)
  await entered
  expect([rights.open(ann, bea), rights.isOut(ann)]).toEqual([false, true])
  foldTo(4)
  expect(rights.isOut(ann)).toBe(false)
})

test('rows from before what the node remembers are asked for again, once one look for all has seen them come', async () => {
  const log = Array.from({ length: 12 }, (_, n) =>
    n === 3 ? change(4, 'blocked', bea, ann) : change(n + 1, n === 0 ? 'matched' : 'in', n === 0 ? ann : dan, bea),
  )
  const { rights, foldTo, question } = start(log, { rightsChanges: 3 })
  foldTo(12)
  const entered = rights.enter(ann)
  ;(await question(0)).answer(rowsAt(log, 3))
  await settled()
  expect(rights.open(ann, bea)).toBe(false)
  const look = await question(1)
  expect(look.members).toEqual([])
  look.answer(rowsAt(log, 12))
  ;(await question(2)).answer(rowsAt(log, 12))
  await entered
  expect(rights.open(ann, bea)).toBe(false)
  expect(rights.unblocked(ann, bea)).toBe(false)
})

test('a look-up that fails is made again', async () => {
  const log = [change(1, 'matched', ann, bea)]
  const { rights, foldTo, question } = start(log)
  foldTo(1)
  const entered = rights.enter(ann)
  ;(await question(0)).fail()
  ;(await question(1)).answer(rowsAt(log, 1))
  await entered
  expect(rights.open(ann, bea)).toBe(true)
})

test('rights stay while a socket is open, for some members after it, and are loaded anew for the rest', async () => {
  const log = [change(1, 'matched', ann, bea), change(2, 'blocked', bea, ann)]
  const { rights, foldTo, question, questions } = start(log, { rightsIdle: 2 })
  foldTo(1)
  const enter = async (who: typeof ann) => {
    const before = questions.length
    const entered = rights.enter(who)
    await settled()
    questions[before]?.answer(rowsAt(log, rights.size.members === 0 ? 0 : 1))
    await entered
    return questions.length > before
  }
  expect([await enter(ann), await enter(ann), await enter(bea), await enter(cat)]).toEqual([true, false, true, true])
  rights.leave(ann)
  for (const who of [bea, cat]) rights.leave(who)
  expect([rights.size.members, rights.open(ann, bea)]).toEqual([3, true])
  rights.leave(ann)
  // Bea left first, and is one too many.
  expect([rights.size.members, rights.open(ann, bea), rights.open(bea, ann)]).toEqual([2, true, false])
  expect(await enter(ann)).toBe(false)
  const entered = rights.enter(bea)
  ;(await question(questions.length)).answer(rowsAt(log, 2))
  await entered
  // Her rows are ahead of the node, and those of Ann are where it is.
  expect([rights.open(ann, bea), rights.open(bea, ann)]).toEqual([true, false])
  foldTo(2)
  expect(rights.open(ann, bea)).toBe(false)
})

test('who is gone for long is dropped, with the accounts that nobody else depends on', async () => {
  const log = [change(1, 'matched', ann, bea), change(2, 'matched', cat, bea)]
  const { rights, foldTo, question } = start(log, { rightsIdleMs: 1_000 })
  foldTo(2)
  const entered = [rights.enter(ann), rights.enter(cat)]
  ;(await question(0)).answer(rowsAt(log, 2))
  await Promise.all(entered)
  expect(rights.size).toEqual({ members: 2, accounts: 3 })
  rights.leave(ann)
  rights.sweep(performance.now() + 500)
  expect(rights.size.members).toBe(2)
  rights.sweep(performance.now() + 2_000)
  expect(rights.size).toEqual({ members: 1, accounts: 2 })
  expect([...rights.matchedHere(bea)]).toEqual([cat])
})

test('a load whose member has left and come back answers for nobody', async () => {
  const log = [change(1, 'matched', ann, bea), change(2, 'unmatched', bea, ann)]
  const { rights, foldTo, question } = start(log, { rightsIdle: 0 })
  foldTo(2)
  void rights.enter(ann)
  const first = await question(0)
  rights.leave(ann)
  const entered = rights.enter(ann)
  const second = await question(1)
  first.answer(rowsAt(log, 1))
  await settled()
  expect(rights.unblocked(ann, ann)).toBe(false)
  second.answer(rowsAt(log, 2))
  await entered
  expect([rights.unblocked(ann, ann), rights.isMatched(ann, bea)]).toEqual([true, false])
  rights.leave(ann)
  rights.enter(ann).catch(() => undefined)
  const last = await question(2)
  rights.leave(ann)
  last.answer(rowsAt(log, 1))
  await settled()
  expect(rights.size).toEqual({ members: 0, accounts: 0 })
})

test('an erased member is nobody’s match, and not active for anybody', async () => {
  const log = [change(1, 'matched', ann, bea), change(2, 'erased', bea)]
  const { rights, foldTo, question } = start(log)
  foldTo(1)
  const entered = rights.enter(ann)
  ;(await question(0)).answer(rowsAt(log, 1))
  await entered
  foldTo(2)
  expect([...rights.matchesOf(ann)]).toEqual([])
  expect([rights.open(ann, bea), rights.unblocked(ann, bea)]).toEqual([false, false])
})

test('whether a pair had a room is known before the block alone, and only by who is here', async () => {
  const log = [change(1, 'matched', ann, bea), change(2, 'blocked', bea, ann)]
  const { rights, foldTo, question } = start(log)
  foldTo(1)
  const [pair, at] = [pairIdOf(ann, bea), positionAt(2)]
  expect(rights.hadRoom(pair, at)).toBeUndefined()
  const entered = rights.enter(ann)
  ;(await question(0)).answer(rowsAt(log, 2))
  await entered
  expect(rights.hadRoom(pair, at)).toBeUndefined()
  const other = rights.enter(bea)
  ;(await question(1)).answer(rowsAt(log, 1))
  await other
  expect(rights.hadRoom(pair, at)).toBe(true)
})

test('ended sessions are remembered, and a stop ends what waits', async () => {
  const { rights, question } = start([])
  rights.revoke(['s1' as SessionId])
  expect([rights.isRevoked('s1' as SessionId), rights.isRevoked('s2' as SessionId)]).toEqual([true, false])
  const entered = rights.enter(ann)
  const asked = await question(0)
  rights.stop()
  asked.fail()
  await expect(entered).rejects.toThrow()
})
