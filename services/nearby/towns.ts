import { readFile } from 'node:fs/promises'
import { cellAt, DISCOVER_CELL_M, type LatLng, METRES_PER_DEGREE, metresBetween } from '../../domain/shared/grid.ts'
import { normal } from '../../domain/shared/normal.ts'
import { STATES } from './states.ts'

/** A town by name; coordinates to two decimals. `country` is ISO 3166 alpha-2. */
export type Town = {
  /** Stable: name and country, as `Oslo, NO`; smaller ones of the same name have their region in it. */
  readonly id: string
  readonly name: string
  /** The state; null outside the United States, where a country has no two of one name. */
  readonly region: string | null
  readonly country: string
  readonly countryName: string
  readonly lat: number
  readonly lng: number
}

export type Towns = {
  /** By the start of any word, whatever the case and accents, with the region or its code; larger towns first. */
  search(text: string, limit?: number): Promise<Town[]>
  find(id: string): Promise<Town | null>
  /** Of the list, however far that is. */
  nearest(location: LatLng): Promise<Town | null>
  /** Those whose cell of Discover has this centre: one, or on a small island two. None for the cell of a measured position. */
  inCell(centre: LatLng): Promise<Town[]>
  /** The nearest one, not further than `NEAR_M`. */
  near(location: LatLng): Promise<Town | null>
}

const LIMIT = 8
/** How far a town may be that a location is near. */
const NEAR_M = 50_000
const NEAR_DEGREES = NEAR_M / METRES_PER_DEGREE
/** `folded`: what it is found by. */
type Entry = { readonly town: Town; readonly folded: readonly string[] }
type Row = readonly [name: string, country: string, lat: number, lng: number, state?: string]

/** About 5,300 towns from GeoNames (CC BY 4.0, https://www.geonames.org), largest first: see `towns.md`. */
export function createTowns(): Towns {
  let loaded: Promise<Entry[]> | undefined
  let cells: Promise<Map<string, Town[]>> | undefined
  const entries = () => {
    loaded ??= load()
    return loaded
  }
  return {
    async search(text, limit = LIMIT) {
      const wanted = fold(text.slice(0, 80))
      if (wanted === '') return []
      const known = await entries()
      const isStart = ({ folded }: Entry) => folded.some((one) => one.startsWith(wanted))
      const starts = known.filter(isStart)
      const within = known.filter((one) => one.folded.some((text) => text.includes(` ${wanted}`)) && !isStart(one))
      return [...starts, ...within].slice(0, limit).map(({ town }) => town)
    },
    async find(id) {
      const wanted = normal(id)
      return (await entries()).find(({ town }) => town.id === wanted)?.town ?? null
    },
    nearest: async (location) => nearestOf(await entries(), location)?.town ?? null,
    async inCell(centre) {
      cells ??= entries().then(byCell)
      return (await cells).get(placeOf(centre)) ?? []
    },
    async near(location) {
      // Most are ruled out by their latitude alone.
      const around = (await entries()).filter(({ town }) => Math.abs(town.lat - location.lat) <= NEAR_DEGREES)
      const found = nearestOf(around, location)
      return found && found.metres <= NEAR_M ? found.town : null
    },
  }
}

function nearestOf(entries: readonly Entry[], location: LatLng): { town: Town; metres: number } | null {
  let best: { town: Town; metres: number } | null = null
  for (const { town } of entries) {
    const metres = metresBetween(location, town)
    if (!best || metres < best.metres) best = { town, metres }
  }
  return best
}

const placeOf = ({ lat, lng }: LatLng) => `${lat} ${lng}`

/** By the centres of their cells of Discover. */
function byCell(entries: readonly Entry[]): Map<string, Town[]> {
  const cells = new Map<string, Town[]>()
  for (const { town } of entries) {
    const centre = placeOf(cellAt(town, DISCOVER_CELL_M))
    cells.set(centre, [...(cells.get(centre) ?? []), town])
  }
  return cells
}

async function load(): Promise<Entry[]> {
  const text = await readFile(new URL('./towns.json', import.meta.url), 'utf8')
  const countries = new Intl.DisplayNames('en', { type: 'region' })
  const ids = new Set<string>()
  return (JSON.parse(text) as Row[]).map(([name, country, lat, lng, state]) => {
    const countryName = countries.of(country) ?? country
    const region = state === undefined ? null : (STATES[state] ?? state)
    const short = `${name}, ${country}`
    const id = ids.has(short) && region ? `${name}, ${region}, ${country}` : short
    ids.add(id)
    const folded = [countryName, ...(region ? [`${region} ${countryName}`, `${state} ${countryName}`] : [])]
    const town = { id, name, region, country, countryName, lat, lng }
    return { town, folded: folded.map((where) => `${fold(name)} ${fold(where)}`) }
  })
}

const LETTERS: Readonly<Record<string, string>> = { ø: 'o', đ: 'd', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', ð: 'd' }

/** Lower case, no accents, one space between words. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øđłßæœıð]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
