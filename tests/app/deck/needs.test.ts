import { expect, test } from 'vitest'
import { isOver, missesOne, needsDeal, undoableIn } from '../../../app/routes/discover/deck/deck-needs.ts'
import { type Queue, reduce } from '../../../app/routes/discover/deck/deck-queue.ts'
import { after, answered, arrive, buzz, refused, skip, undone } from './dealt.ts'

const TEN = 'a b c d e f g h i j'
const dealt = arrive(TEN, '1')

/** So many of ten skipped, each of them answered. */
const skipped = (count: number): Queue =>
  TEN.split(' ')
    .slice(0, count)
    .flatMap((id, n) => [skip(id), answered(n + 1, String(n + 2))])
    .reduce(reduce, after(dealt))

test('more cards are read when five are left, once for each deal', () => {
  expect([4, 5, 6].map((count) => needsDeal(skipped(count)))).toEqual([false, true, true])
  expect(needsDeal(reduce(skipped(5), arrive('f g h i j k l m n o', '6')))).toBe(false)
})

test('a deal that brought all there is is read again only when nobody is left', () => {
  const few = after(arrive('ann bea', '1'), skip('ann'), answered(1, '2'))
  expect(needsDeal(few)).toBe(false)
  const none = [skip('bea'), answered(2, '3')].reduce(reduce, few)
  expect([needsDeal(none), isOver(none)]).toEqual([true, false])
  const empty = reduce(none, arrive('', '3'))
  expect([needsDeal(empty), isOver(empty)]).toEqual([false, true])
})

test('an empty deck waits for the answers that are on their way, and is not over before', () => {
  const waiting = after(arrive('ann', '1'), skip('ann'), arrive('', '2'))
  expect([needsDeal(waiting), isOver(waiting)]).toEqual([false, false])
  expect(isOver(reduce(waiting, answered(1, '2')))).toBe(true)
  expect(isOver(reduce(waiting, refused(1)))).toBe(false)
})

test('an empty deck whose deal knew too little is read again', () => {
  const decided = after(arrive('ann', '1'), skip('ann'), answered(1, '3'))
  expect(needsDeal(reduce(decided, arrive('ann', '2')))).toBe(true)
})

test('a deck misses who was brought back until a deal knows of that', () => {
  const back = after(arrive('ann', '1'), undone('zoe', '3'))
  expect([missesOne(after(arrive('ann', '1'))), missesOne(back)]).toEqual([false, true])
  expect(missesOne(reduce(back, arrive('ann', '2')))).toBe(true)
  expect(missesOne(reduce(back, arrive('ann', '3')))).toBe(false)
  expect(missesOne(reduce(back, arrive('ann zoe', '2')))).toBe(false)
})

test('a deck misses nobody whose card it has put back, nor who was decided again', () => {
  const back = after(dealt, skip('a'), answered(1, '2'), undone('a', '3'))
  expect([missesOne(back), missesOne(reduce(back, skip('a')))]).toEqual([false, false])
})

test('the last decision can be undone once it is answered, a buzz as well as a skip', () => {
  const queue = after(dealt, skip('a'), answered(1, '2'), buzz('b'))
  expect(undoableIn(queue, null)).toBeNull()
  expect(undoableIn(reduce(queue, answered(2, '3')), null)).toEqual({
    to: 'b',
    firstName: 'b',
    commandId: 'undo-2',
    intent: 'withdraw',
  })
  expect(undoableIn(reduce(queue, refused(2)), null)?.intent).toBe('undo')
})

test('no match is undone, neither at once nor when the other one buzzes back', () => {
  const queue = after(dealt, skip('a'), answered(1, '2'), buzz('b'))
  expect(undoableIn(reduce(queue, answered(2, '3', null)), null)?.to).toBe('a')
  const later = [answered(2, '3'), { type: 'settled', id: 'b' } as const].reduce(reduce, queue)
  expect(undoableIn(later, null)?.to).toBe('a')
})

test('without a decision of its own a page undoes the skip that the server names, unless it was undone since', () => {
  const lastSkip = { to: 'z', firstName: 'Zoe', commandId: 'undo-z' }
  expect(undoableIn(after(dealt), lastSkip)).toEqual({ ...lastSkip, intent: 'undo' })
  const back = after(dealt, undone('z', '2'))
  expect(undoableIn(back, lastSkip)).toBeNull()
  expect(undoableIn(reduce(back, arrive(TEN, '2')), lastSkip)?.to).toBe('z')
})
