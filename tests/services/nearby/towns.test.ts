import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cellAt, DISCOVER_CELL_M } from '../../../domain/shared/grid.ts'
import { createTowns } from '../../../services/nearby/towns.ts'

const towns = createTowns()
const names = async (text: string, limit?: number) => (await towns.search(text, limit)).map(({ name }) => name)

test('a town is found by the start of its name, whatever the accents', async () => {
  expect((await names('zur'))[0]).toBe('Zürich')
  expect((await names('  SÃO pau'))[0]).toBe('São Paulo')
  expect((await names('sao pau'))[0]).toBe('São Paulo')
  expect(await names('lodz')).toContain('Łódź')
  expect((await names('york')).join()).toContain('New York')
})

test('a country narrows the search, and larger towns come first', async () => {
  expect((await towns.search('london'))[0]).toMatchObject({ country: 'GB', countryName: 'United Kingdom' })
  expect((await towns.search('london canada'))[0]).toMatchObject({ country: 'CA' })
})

test('towns of one name in the United States are told apart by their state, which a search may name', async () => {
  const found = await towns.search('springfield')
  expect(found.map(({ id, region }) => [id, region])).toEqual([
    ['Springfield, US', 'Missouri'],
    ['Springfield, Massachusetts, US', 'Massachusetts'],
    ['Springfield, Illinois, US', 'Illinois'],
  ])
  for (const text of ['Springfield, IL', 'springfield illinois', 'Springfield Illinois United States'])
    expect((await towns.search(text)).map(({ id }) => id)).toEqual(['Springfield, Illinois, US'])
  expect(await towns.find('Springfield, Illinois, US')).toEqual(found[2])
  expect(await towns.find('Oslo, NO')).toMatchObject({ region: null })
})

test('a cell names the town whose middle it has, and the cell of a measured position none', async () => {
  const springfield = (await towns.find('Springfield, US'))!
  const cell = cellAt(springfield, DISCOVER_CELL_M)
  expect(await towns.inCell(cell)).toEqual([springfield])
  expect(await towns.inCell(cellAt({ lat: cell.lat, lng: cell.lng + 0.03 }, DISCOVER_CELL_M))).toEqual([])
  expect(await towns.inCell({ lat: cell.lat + 0.001, lng: cell.lng })).toEqual([])
  const marino = cellAt((await towns.find('San Marino, SM'))!, DISCOVER_CELL_M)
  expect((await towns.inCell(marino)).map(({ name }) => name)).toEqual(['Borgo Maggiore', 'San Marino'])
})

test('a location is near a town of the list, unless none is within 50 km', async () => {
  expect(await towns.near({ lat: 39.8, lng: -89.6 })).toMatchObject({ name: 'Springfield', region: 'Illinois' })
  expect(await towns.near({ lat: 59.91, lng: 10.75 })).toMatchObject({ name: 'Oslo' })
  expect(await towns.near({ lat: -40, lng: -120 })).toBeNull()
  expect(await towns.near({ lat: 59.91, lng: 12.2 })).toBeNull()
})

test('a search is short, and nothing is found by nothing', async () => {
  expect(await names('a', 3)).toHaveLength(3)
  expect(await names('s')).toHaveLength(8)
  for (const nothing of ['', '  ', '.*', 'xyzzyq']) expect(await names(nothing)).toEqual([])
})

test('a town is found again by its id, to two decimals', async () => {
  const [oslo] = await towns.search('oslo')
  expect(oslo).toMatchObject({ id: 'Oslo, NO' })
  expect(await towns.find('Oslo, NO')).toEqual(oslo)
  expect(await towns.find('Atlantis, XX')).toBeNull()
  expect(`${oslo?.lat} ${oslo?.lng}`).toMatch(/^\d+\.\d{1,2} \d+\.\d{1,2}$/)
})

test('the list spans the world and stays small', async () => {
  const found = await Promise.all([...'abcdefghijklmnopqrstuvwxyz'].map((letter) => towns.search(letter, 10_000)))
  const all = new Map(found.flat().map((town) => [town.id, town]))
  expect(all.size).toBeGreaterThan(4000)
  expect(new Set([...all.values()].map(({ country }) => country)).size).toBeGreaterThan(190)
  const file = await stat(new URL('../../../services/nearby/towns.json', import.meta.url))
  expect(file.size).toBeLessThan(300_000)
})
