import { basename, dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { anchorsOf, citationsIn, faultOf, type Library, mayCite, pagesNamedIn } from './citations.ts'
import { atTop, commentsOf, commentsOfSheet, FOLDERS, isThere, pages, sources, styles } from './source.ts'

const papers = pages()
const specification = papers.filter(({ path }) => path.startsWith('docs/spec/') && !path.endsWith('README.md'))
const nameOf = (path: string) => basename(path, '.md')
const decisions = papers.filter(({ path }) => path.startsWith('docs/decisions/'))
const library: Library = new Map([
  ...specification.map(({ path, text }) => [nameOf(path), anchorsOf(text)] as const),
  ['decisions', new Set(decisions.map(({ path }) => nameOf(path).slice(0, 4)))],
])

/** The page whose own sections and rows a paper may name without stating whose they are. */
function homeOf(path: string): string | null {
  if (path.startsWith('docs/decisions/')) return 'decisions'
  return library.has(nameOf(path)) ? nameOf(path) : null
}

const code = [...sources([...FOLDERS, 'tests']), ...atTop(/\.[jt]s$/)]
const texts = [
  ...code.filter(({ text }) => mayCite(text)).map((file) => [file.path, commentsOf(file)] as const),
  ...styles().map((sheet) => [sheet.path, commentsOfSheet(sheet)] as const),
  ...papers.map(({ path, text }) => [path, text] as const),
]
const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** Made-up pages: two sections, three rulings, a call and a class of limits. */
const made: Library = new Map([
  ['part-2', anchorsOf('## 9. Constants\n\n### Table\n')],
  ['rulings', anchorsOf('| # | Point |\n|---|---|\n| R1 | one |\n| R2 | two |\n| R3 | three |\n')],
  ['api-contract', anchorsOf('## 6.2 Rates\n| LOC | 30 |\n| C40 | a |\n| C41 | b |\n')],
  ['security', anchorsOf('### 3.2 Sessions\n| T9 | a |\n| T10 | b |\n| T11 | c |\n| T12 | d |\n')],
  ['decisions', new Set(['0007'])],
])
const faults = (text: string, home?: string) =>
  citationsIn(text, home).flatMap((citation) => faultOf(citation, made) ?? [])
const anchors = (text: string) => citationsIn(text).map(({ page, anchor }) => `${page} ${anchor}`)

test('every citation of a section, a row or a decision can be looked up', () => {
  const lost = texts.flatMap(([path, text]) =>
    citationsIn(text, homeOf(path)).flatMap((citation) => {
      const fault = faultOf(citation, library)
      return fault ? [`${path}:${lineAt(text, citation.offset)} ${fault}`] : []
    }),
  )
  expect(lost).toEqual([])
})

test('every page that a comment or a paper names is there', () => {
  const isFound = (from: string, name: string) =>
    ['', 'docs/spec', dirname(from)].some((folder) => isThere(join(folder, name)))
  const lost = texts.flatMap(([path, text]) =>
    pagesNamedIn(text).flatMap((name) => (isFound(path, name) ? [] : [`${path} ${name}`])),
  )
  expect(lost).toEqual([])
})

test('the specification has its sections, rows and classes, and comments cite each of its pages', () => {
  const cited = new Set(texts.flatMap(([path, text]) => citationsIn(text, homeOf(path)).map(({ page }) => page)))
  const some: Record<string, string> = { 'part-1': '§9', 'part-2': '§9', rulings: 'R41', security: 'S7' }
  for (const [page, anchor] of Object.entries({ ...some, 'api-contract': 'N14', decisions: '0001' })) {
    expect(library.get(page)).toContain(anchor)
    expect(cited).toContain(page)
  }
})

test('a citation is a name and what follows it: one, a list or a range', () => {
  expect(anchors('(spec 2 §9, ruling R1)')).toEqual(['part-2 §9', 'rulings R1'])
  expect(anchors('security T10, T11 and T12, §3.2; api-contract.md C40')).toEqual([
    ...['security T10', 'security T11', 'security T12', 'security §3.2', 'api-contract C40'],
  ])
  expect(anchors('rulings R1–R3, security T9 to T12')).toEqual([
    ...['rulings R1', 'rulings R2', 'rulings R3'],
    ...['security T9', 'security T10', 'security T11', 'security T12'],
  ])
  expect(anchors('api-contract C08–C10; spec 1 §5–6')).toEqual([
    ...['api-contract C08', 'api-contract C09', 'api-contract C10', 'part-1 §5', 'part-1 §6'],
  ])
  expect(anchors('`api-contract.md` §6.2, LOC; decisions 0001 and 0007')).toEqual([
    ...['api-contract §6.2', 'api-contract LOC', 'decisions 0001', 'decisions 0007'],
  ])
})

test('words, years and the papers of others are no citations', () => {
  expect(anchors('Security events of 2026: a decision, the ruling, part 2 of the spec, HTTP and JSON')).toEqual([])
  expect(faults('H2 over H264, RFC 9562 §5.5')).toEqual([])
})

test('what names no document, or one that is not there, is a fault', () => {
  expect(faults('as C40 has it')).toEqual(['C40 names no document'])
  expect(faults('house §1, anchors §2')).toEqual(['§1 names no document', '§2 names no document'])
  expect(faults('spec §9')).toEqual(['§9 names no document'])
  expect(faults('spec 3 §1')).toEqual(['part-3 §1: there is no part-3'])
  expect(faults('ruling R1. See R2')).toEqual(['R2 names no document'])
  expect(faults('security T9 in full, T10')).toEqual(['T10 names no document'])
})

test('what a document does not hold is a fault, also inside of a list or a range', () => {
  expect(faults('ruling R99')).toEqual(['rulings has no R99'])
  expect(faults('api-contract §6.2, LOCK')).toEqual(['api-contract has no LOCK'])
  expect(faults('api-contract C40, C41 and C42')).toEqual(['api-contract has no C42'])
  expect(faults('rulings R2–R5')).toEqual(['rulings has no R4', 'rulings has no R5'])
  expect(faults('spec 2 §6, decision 0008')).toEqual(['part-2 has no §6', 'decisions has no 0008'])
  expect(faults('ruling 3, api-contract 6.2, security t20, decision 7')).toEqual([
    ...['rulings has no 3', 'api-contract has no 6.2', 'security has no t20', 'decisions has no 7'],
  ])
  expect(faults('ruling T9, security R1')).toEqual(['rulings has no T9', 'security has no R1'])
})

test('on a page of the specification its own rows need no name', () => {
  expect(faults('§3.2, T9 and T10', 'security')).toEqual([])
  expect(faults('ruling R1. T40', 'security')).toEqual(['security has no T40'])
  expect(faults('0007, but not 0008', 'decisions')).toEqual(['decisions has no 0008'])
})

test('pages are named by their files', () => {
  expect(pagesNamedIn('see `discover.md`, docs/how-to/add-a-page.md and remix@2.17.5:docs/guides/faq.md')).toEqual([
    ...['discover.md', 'docs/how-to/add-a-page.md'],
  ])
})

test('comments keep their words and their lines; strings, expressions and pages lose theirs', () => {
  const text = [
    "const a = '// ruling R1' /* ruling R2, */ // R3",
    '/**',
    ' * security',
    ' * T9',
    ' */',
    'const b = () => <p title={/\\/\\* x/.source}>{/* api-contract C40 */} // T10 {`/* T11 */`}</p>',
  ].join('\n')
  const tree = ts.createSourceFile('made.tsx', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TSX)
  const comments = commentsOf({ text, tree })
  expect(anchors(comments)).toEqual(['rulings R2', 'rulings R3', 'security T9', 'api-contract C40'])
  expect(comments.split('\n').map((line) => line.length)).toEqual(text.split('\n').map((line) => line.length))
  expect(anchors(commentsOfSheet({ text: 'a { b: url(/x) } /* ruling R1 */ .R2 { c: 1 / 2 }' }))).toEqual([
    'rulings R1',
  ])
})
