/**
 * What can be cited: the name of each page to its sections, rows and rate classes (such as `api-contract §6.2, LOC`).
 */
export type Library = ReadonlyMap<string, ReadonlySet<string>>

/** `page` is null where no document is named. `offset` is where it begins in the text. */
export type Citation = { readonly page: string | null; readonly anchor: string; readonly offset: number }

const SECTION = /^#{2,4} (\d+(?:\.\d+)*)\.? /
const ROW = /^\| ([A-Z]\d{1,2}|[A-Z]{2,6}) \|/

/** What a page of the specification holds: numbered headings, and rows that begin with an id. */
export function anchorsOf(page: string): Set<string> {
  return new Set(
    page.split('\n').flatMap((line) => {
      const [section, row] = [SECTION.exec(line)?.[1], ROW.exec(line)?.[1]]
      return section ? [`§${section}`] : row ? [row] : []
    }),
  )
}

const NAME =
  /\b(?:(?:[Ss]pec|[Pp]art)\s+(?<part>\d+)|(?<ruling>[Rr]uling)s?|(?<page>[Aa]pi-contract|[Ss]ecurity)|(?<decision>[Dd]ecision)s?|(?<foreign>RFC \d+))(?:\.md)?/
const ANCHOR =
  /§ ?(?<section>\d+(?:\.\d+)*)(?:[–-](?<until>\d+(?:\.\d+)*))?|\b(?<row>[A-Z]\d{1,2})\b|\b(?<number>0\d{3})\b|\b(?<word>[A-Z]{2,6})\b|\b(?<odd>[A-Za-z]?\d[\w.]*)/
const ANY = new RegExp(`${NAME.source}|${ANCHOR.source}`, 'g')
/** What each citation, and the name of each page, begins with; a text without it has neither. */
const BEGINNING = /§|\b[A-Z]\d|\b(?:[Ss]pec\b|[Pp]art\b|[Rr]uling|[Aa]pi-contract|[Ss]ecurity|[Dd]ecision|RFC)|\.md\b/
/** Between a name and its first anchor, and between two anchors of a list. */
const SPACE = /^[ \t]*\n?[ \t]*$/
const LIST = /^\s?\n?[ \t]*(?:,|;|\/|–|-|\band\b|\bor\b|\bto\b)(?:[ \t]*(?:and|or))?[ \t]*\n?[ \t]*$/
const RANGE = /^(?:\s?[–-]\s?|\s+to\s+)$/

type Groups = Record<string, string | undefined>

function pageOf({ part, ruling, page, decision, foreign }: Groups): string | undefined {
  if (part) return `part-${part}`
  return (ruling && 'rulings') ?? page?.toLowerCase() ?? (decision && 'decisions') ?? foreign
}

/** The rows between two of one kind, which a range leaves out. */
function between(first: string, last: string): string[] {
  const [from, to] = [Number(first.slice(1)), Number(last.slice(1))]
  if (first[0] !== last[0] || first.startsWith('§')) return []
  const rowAt = (at: number) => `${first[0]}${String(from + 1 + at).padStart(first.length - 1, '0')}`
  return Array.from({ length: Math.max(0, to - from - 1) }, (_, at) => rowAt(at))
}

/** The anchors that a match stands for; `last` is the one before it in the same list, if any. */
function anchorsAt({ section, until, row, number, word, odd }: Groups, last: string | null, gap: string): string[] {
  if (section) return until ? [`§${section}`, `§${until}`] : [`§${section}`]
  if (row) return last && RANGE.test(gap) ? [...between(last, row), row] : [row]
  return [(number ?? word ?? odd)!]
}

/** What a name or an anchor opens; `last` is null right behind a name, `page` where a bare anchor begins the list. */
type List = { readonly page: string | null; readonly last: string | null }

/** Digits and capitals cite something only where a name shows it: elsewhere they are a figure or an abbreviation. */
function isAnchor({ number, word, odd }: Groups, list: List | null, home: string | null): boolean {
  if (number) return (list?.page ?? home) === 'decisions'
  if (word) return list?.last?.startsWith('§') ?? false
  return !odd || list?.last === null
}

/** False for a text in which nothing can be found, which is seen before its comments are. */
export const mayCite = (text: string): boolean => BEGINNING.test(text)

/**
 * Every citation in a text, in its order. A name holds for the anchor right behind it and for the list that follows
 * (`security T10, T11 and T12`). What stands alone belongs to `home`, the page that the text is part of, if any.
 */
export function citationsIn(text: string, home: string | null = null): Citation[] {
  const found: Citation[] = []
  const plain = text.replaceAll('`', ' ')
  let [list, end]: [List | null, number] = [null, 0]
  for (const match of plain.matchAll(ANY)) {
    const groups: Groups = match.groups ?? {}
    const gap = plain.slice(end, match.index)
    end = match.index + match[0].length
    const named = pageOf(groups)
    if (named) list = { page: named, last: null }
    else if (list && !(list.last === null ? SPACE : LIST).test(gap)) list = null
    if (named || !isAnchor(groups, list, home)) continue
    const { page, last }: List = list ?? { page: home, last: null }
    const anchors = anchorsAt(groups, last, gap)
    for (const anchor of anchors) found.push({ page, anchor, offset: match.index })
    list = { page, last: anchors.at(-1)! }
  }
  return found
}

/** Whether something like it can be cited at all: a section, or a row of a kind that there is. */
const isKnown = (anchor: string, library: Library) =>
  anchor.startsWith('§') || [...library.values()].some((anchors) => [...anchors].some((one) => one[0] === anchor[0]))

/** Why nobody can look this up, or null. What other bodies publish is taken at its word. */
export function faultOf({ page, anchor }: Citation, library: Library): string | null {
  if (page === null) return isKnown(anchor, library) ? `${anchor} names no document` : null
  if (page.startsWith('RFC')) return null
  const anchors = library.get(page)
  if (!anchors) return `${page} ${anchor}: there is no ${page}`
  return anchors.has(anchor) ? null : `${page} has no ${anchor}`
}

/** The pages that a text names by file; what stands in other projects (`remix@2.17.5:docs/…`) is not ours. */
export function pagesNamedIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w.:@/*-])(?!\w+\.\w+\/)[\w./-]*\w\.md\b/g)].map(([name]) => name)
}
