import { readFile } from 'node:fs/promises'
import { type LatLng, metresBetween } from '../../domain/shared/grid.ts'
import { normal } from '../../domain/shared/normal.ts'

/** A town by name; coordinates to two decimals. `country` is ISO 3166 alpha-2. */
export type Town = {
  /** Stable: name and country, as `Oslo, NO`. */
  readonly id: string
  readonly name: string
  readonly country: string
  readonly countryName: string
  readonly lat: number
  readonly lng: number
}

export type Towns = {
  /** By the start of any word, whatever the case and accents; larger towns first. */
  search(text: string, limit?: number): Promise<Town[]>
  find(id: string): Promise<Town | null>
  /** Of the list, however far that is. */
  nearest(location: LatLng): Promise<Town | null>
}

const LIMIT = 8
type Entry = { readonly town: Town; readonly folded: string }

/** About 5,300 towns from GeoNames (CC BY 4.0, https://www.geonames.org), largest first: see `towns.md`. */
export function createTowns(): Towns {
  let loaded: Promise<Entry[]> | undefined
  const entries = () => {
    loaded ??= load()
    return loaded
  }
  return {
    async search(text, limit = LIMIT) {
      const wanted = fold(text.slice(0, 80))
      if (wanted === '') return []
      const known = await entries()
      const starts = known.filter(({ folded }) => folded.startsWith(wanted))
      const within = known.filter(({ folded }) => folded.includes(` ${wanted}`) && !folded.startsWith(wanted))
      return [...starts, ...within].slice(0, limit).map(({ town }) => town)
    },
    async find(id) {
      const wanted = normal(id)
      return (await entries()).find(({ town }) => town.id === wanted)?.town ?? null
    },
    async nearest(location) {
      let best: { town: Town; metres: number } | null = null
      for (const { town } of await entries()) {
        const metres = metresBetween(location, town)
        if (!best || metres < best.metres) best = { town, metres }
      }
      return best?.town ?? null
    },
  }
}

async function load(): Promise<Entry[]> {
  const text = await readFile(new URL('./towns.json', import.meta.url), 'utf8')
  const rows = JSON.parse(text) as [string, string, number, number][]
  const countries = new Intl.DisplayNames('en', { type: 'region' })
  return rows.map(([name, country, lat, lng]) => {
    const countryName = countries.of(country) ?? country
    const town = { id: `${name}, ${country}`, name, country, countryName, lat, lng }
    return { town, folded: `${fold(name)} ${fold(countryName)}` }
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
