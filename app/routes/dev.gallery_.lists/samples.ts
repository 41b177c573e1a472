import type { Found } from '../../ui/lists/use-found.ts'

const NAMES = ['Ann', 'Anouk', 'Bea', 'Björn', 'Chiara', 'Dan', 'Eve', 'Farid', 'Łukasz', 'Mei', 'Nadia', 'Tove']
const TOWNS = ['Göteborg', 'Uppsala', 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch', 'Lund']

/** What the search finds; words that are called lost fail. */
export async function findSamples(words: string): Promise<readonly Found[]> {
  if (words === 'lost') throw new Error('Nobody answers.')
  return samplesFor(words)
}

export function samplesFor(words: string): readonly Found[] {
  return NAMES.filter((name) => name.toLowerCase().includes(words.trim().toLowerCase())).map((name, at) => ({
    to: `?q=${name}`,
    label: name,
    note: TOWNS[at % TOWNS.length]!,
    face: { name, src: null },
  }))
}
