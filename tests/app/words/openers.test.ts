import { expect, test } from 'vitest'
import { type OpenerSide, openersFor } from '../../../app/words/openers.ts'

const NOW = new Date('2030-05-01T09:00:00Z')
const ANN: OpenerSide = { id: 'ann', firstName: 'Ann', interests: ['Music', 'Hiking'], city: 'Lisbon', vibe: 'serious' }
const between = (other: Partial<OpenerSide>, me: Partial<OpenerSide> = {}, now = NOW) =>
  openersFor({ me: { ...ANN, ...me }, other: { id: 'bea', firstName: 'Bea', ...other }, now })

test('what both share comes first, in two kinds, and the third greets by name', () => {
  const shared = { interests: ['Hiking', 'Chess'], city: 'lisbon, Portugal', vibe: 'serious' }
  for (const id of ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']) {
    const [first, second, third] = between({ ...shared, id })
    const kinds = [first, second].map((opener) =>
      /Hiking/.test(opener) ? 'interest' : /lisbon/i.test(opener) ? 'town' : 'vibe',
    )
    expect(new Set(kinds).size, `${first} ${second}`).toBe(2)
    expect(third).toContain('Bea')
  }
})

test('a shared interest is named, with the question about it; one of the member’s own is asked about', () => {
  expect(between({ interests: ['Hiking'] })[0]).toMatch(/Hiking.* Which walk should I do this autumn\?$/)
  expect(between({ interests: ['Chess club', 'Yoga'] })[0]).toBe('Morning mat or evening mat?')
})

test('an interest of the member’s own making is shared without a question', () => {
  expect(between({ interests: ['Chess'] }, { interests: ['Chess'] })[0]).toMatch(/Chess[^?]*[.?]/)
})

test('a town of the other alone is asked about', () => {
  expect(between({ city: 'Porto' }, { city: '' })[0]).toContain('Porto')
})

test('a vibe that only one of them has is no topic', () => {
  expect(between({ vibe: 'casual' }, { vibe: 'ons' })).toEqual(between({}, {}))
})

test('where nothing is known there are three different ones all the same', () => {
  expect(new Set(between({}, { interests: [], city: '', vibe: '' })).size).toBe(3)
})

test('they stay for the day, whoever of the two reads, and the next day brings others', () => {
  const at = (text: string) => between({ interests: ['Music', 'Hiking', 'Yoga'] }, {}, new Date(text))
  expect(at('2030-05-01T00:00:00Z')).toEqual(at('2030-05-01T23:59:59Z'))
  const days = Array.from({ length: 7 }, (_, n) => at(`2030-05-0${n + 1}T12:00:00Z`).join(' '))
  expect(new Set(days).size).toBeGreaterThan(4)
})

test('two hundred matches of one member who share the same things are all offered others', () => {
  const offered = Array.from({ length: 200 }, (_, n) =>
    between({ id: `b${n}`, firstName: `Bea${n}`, interests: ['Music'], city: 'Lisbon', vibe: 'serious' }),
  )
  expect(new Set(offered.map((three) => three.join(' '))).size).toBe(200)
  expect(new Set(offered.slice(0, 10).map(([first]) => first)).size, 'the first ones differ too').toBeGreaterThan(3)
})
