import { expect, test } from 'vitest'
import { reduce } from '../../../app/routes/discover/deck/deck-queue.ts'
import { after, answered, arrive, buzz, leftIn, refused, skip, undone } from './dealt.ts'

const dealt = arrive('ann bea cat', '1')

test('a card is decided once, however often it is decided', () => {
  const once = after(dealt, buzz('ann'))
  expect(leftIn(once)).toBe('bea cat')
  expect(reduce(once, buzz('ann'))).toBe(once)
  expect(reduce(once, skip('ann'))).toBe(once)
  expect(reduce(once, skip('nobody'))).toBe(once)
  expect(once.decided.map(({ card, side }) => [card.commandId, side])).toEqual([['ann-1', 'right']])
})

test('a refused card is back on top, with the command it had', () => {
  const queue = after(dealt, skip('ann'), skip('bea'), refused(1))
  expect(leftIn(queue)).toBe('ann cat')
  expect(queue.left[0]?.commandId).toBe('ann-1')
  expect(leftIn(after(dealt, skip('ann'), refused(1), refused(1), refused(7)))).toBe('ann bea cat')
})

test('a card that was refused is decided anew under another number', () => {
  const queue = after(dealt, skip('ann'), refused(1), buzz('ann'))
  expect(queue.decided.map(({ number }) => number)).toEqual([2])
  expect(leftIn(reduce(queue, refused(1)))).toBe('bea cat')
})

test('what arrives comes behind what is left, and nobody who is decided comes back with it', () => {
  const queue = after(dealt, skip('ann'), answered(1, '3'), buzz('bea'), arrive('dan ann cat bea eve', '2'))
  expect(leftIn(queue)).toBe('cat dan eve')
})

test('whoever is no longer dealt leaves the deck', () => {
  expect(leftIn(after(dealt, arrive('cat ann', '2')))).toBe('ann cat')
})

test('a card keeps the id of its command when it is dealt again', () => {
  const again = { cards: [{ ...after(dealt).left[0]!, commandId: 'ann-9', firstName: 'Anna' }] }
  const [card] = after(dealt, arrive('', '2', again)).left
  expect([card?.commandId, card?.firstName]).toEqual(['ann-1', 'Anna'])
})

test('a decision that another page undid is dealt again by a deal that knows of it, and by no older one', () => {
  const decided = after(dealt, skip('ann'), answered(1, '5'))
  expect(leftIn(reduce(decided, arrive('ann bea cat', '4')))).toBe('bea cat')
  expect(leftIn(reduce(decided, arrive('ann bea cat', '5')))).toBe('bea cat ann')
})

test('a deal that is older than an undo does not take its card away, a later one does', () => {
  const back = after(dealt, skip('ann'), answered(1, '5'), undone('ann', '6'))
  expect(leftIn(back)).toBe('ann bea cat')
  expect(back.left[0]?.commandId).toBe('ann-2')
  expect(leftIn(reduce(back, arrive('bea cat', '5')))).toBe('ann bea cat')
  expect(leftIn(reduce(back, arrive('bea cat', '6')))).toBe('bea cat')
})

test('whoever was brought back comes first, also where another page had decided, and where a deal was faster', () => {
  const elsewhere = after(dealt, undone('zoe', '2'), arrive('ann bea cat dan zoe', '3'))
  expect(leftIn(elsewhere)).toBe('zoe ann bea cat dan')
  expect(leftIn(reduce(elsewhere, arrive('eve zoe ann bea cat dan', '4')))).toBe('zoe ann bea cat dan eve')
  const faster = after(dealt, skip('ann'), answered(1, '5'), arrive('ann bea cat', '6'))
  expect(leftIn(reduce(faster, undone('ann', '6')))).toBe('ann bea cat')
})

test('a card that was brought back stays while others fill the deal', () => {
  const back = after(dealt, skip('ann'), answered(1, '5'), undone('ann', '6'))
  const full = reduce(back, arrive('bea cat dan', '7', { full: true }))
  expect(leftIn(full)).toBe('ann bea cat dan')
  expect(leftIn(reduce(full, arrive('bea cat dan', '8')))).toBe('bea cat dan')
})

test('the card on top stays while others fill the deal', () => {
  const full = after(dealt, arrive('bea dan eve', '2', { full: true }))
  expect(leftIn(full)).toBe('ann bea dan eve')
  expect(leftIn(reduce(full, arrive('bea dan eve', '3')))).toBe('bea dan eve')
})

test('a deal of other filters takes the place of the deck, and a card of before is not put on it', () => {
  const queue = after(dealt, skip('ann'), skip('bea'), arrive('dan ann', '2', {}, true))
  expect(leftIn(queue)).toBe('dan')
  expect(leftIn(reduce(queue, refused(1)))).toBe('dan')
  expect(leftIn(reduce(reduce(queue, answered(2, '3')), undone('bea', '4')))).toBe('dan')
})

test('whoever is on the deck stays while nobody new is dealt', () => {
  expect(leftIn(after(dealt, arrive('', '2', { cut: true })))).toBe('ann bea cat')
})

test('an answer changes nothing but its own decision', () => {
  const queue = after(dealt, skip('ann'), buzz('bea'), answered(2, '3'), answered(9, '4'))
  expect(queue.decided.map(({ answer }) => answer?.pos ?? null)).toEqual([null, '3'])
})
