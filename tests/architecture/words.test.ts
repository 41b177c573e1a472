import ts from 'typescript'
import { expect, test } from 'vitest'
import { atTop, commentsOf, type SourceFile, sources, styles } from './source.ts'

/** Words that mean too much or too little here; `docs/glossary.md` lists what to write instead. */
const BANNED = new Set([
  'deed',
  'deeds',
  'desk',
  'door',
  'doors',
  'held',
  'house',
  'parted',
  'parting',
  'rival',
  'rivals',
  'said',
  'say',
  'sight',
  'sights',
  'standing',
  'talk',
  'talking',
  'talks',
  'tell',
  'teller',
  'tells',
  'told',
])
/** Columns of a table, which a migration named. */
const ALLOWED = new Set(['held_by', 'held_until'])
const PHRASES = /\b(cut short|gone on with|goes on with|rivals?|parted|talks?|told|sa(y|ys|id|ying)|tells?)\b/i

/** A file without any of them has none in its names. */
const BANNED_ANYWHERE = new RegExp([...BANNED].join('|'), 'i')

const code = [...sources(), ...sources(['tests']), ...atTop(/\.ts$/)].filter(
  ({ path }) => path !== 'tests/architecture/words.test.ts',
)

const bannedIn = (name: string): string[] =>
  ALLOWED.has(name)
    ? []
    : (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).filter((word) => BANNED.has(word.toLowerCase()))

function namesIn({ tree }: SourceFile): string[] {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return [...names]
}

test('no identifier is made of a word that the glossary replaces', () => {
  const suspects = code.filter(({ text }) => BANNED_ANYWHERE.test(text))
  const found = suspects.flatMap((file) =>
    namesIn(file)
      .filter((name) => bannedIn(name).length > 0)
      .map((name) => `${file.path}: ${name}`),
  )
  expect(found).toEqual([])
})

test('no file is named by such a word', () => {
  const files = [...code, ...styles()].map(({ path }) => path)
  expect(files.filter((path) => bannedIn(path).length > 0)).toEqual([])
})

test('no class of a style sheet is named by such a word', () => {
  const classes = styles().flatMap(({ path, text }) =>
    [...text.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => `${path} ${name}`),
  )
  expect(classes.filter((one) => bannedIn(one.split(' ')[1] ?? '').length > 0)).toEqual([])
})

test('comments are free of the phrases', () => {
  // A released migration never changes, nor do its comments.
  const changing = code.filter(({ path }) => !path.startsWith('migrations/2026'))
  // Comments are part of the text.
  const suspects = changing.filter(({ text }) => PHRASES.test(text))
  const found = suspects.flatMap((file) =>
    commentsOf(file)
      .split('\n')
      .flatMap((line, at) => (PHRASES.test(line) ? [`${file.path}:${at + 1} ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
