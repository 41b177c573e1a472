import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { classesIn, classesOf, names } from './class-names.ts'
import { edges, sources, styles } from './source.ts'

const ORDER = 'reset, tokens, base, components, pages, utilities'
/** What every page has: no part of a page belongs to them. */
const BASICS = ['app.css', 'base.css', 'fonts.css', 'reset.css', 'tokens.css', 'utilities.css']
const FRAME = 'app/root.tsx'

const sheets = styles()
const ofParts = sheets.filter(({ path }) => !path.startsWith('app/styles/'))
const files = sources(['app'])
const imports = edges(files, true)
const importersOf = (sheet: string) => imports.filter(([, to]) => to === sheet).map(([from]) => from)

/** These files and all that runs with them, sheets too. */
function loadedBy(starts: readonly string[]): ReadonlySet<string> {
  const found = new Set(starts)
  for (const one of found) for (const [from, to] of imports) if (from === one) found.add(to)
  return found
}

/** A page, the frame, and the page around it where its address begins with another's: `chat` is around `chat.$userId`. */
function startsOf(page: string, pages: readonly string[]): string[] {
  const addressOf = (path: string) => path.split('/')[2]!
  return [FRAME, ...pages.filter((one) => `${addressOf(page)}.`.startsWith(`${addressOf(one)}.`))]
}

test('app/styles holds the basics, which app.css puts in order and the root loads before anything else', () => {
  const basics = sheets.filter(({ path }) => path.startsWith('app/styles/'))
  expect(basics.map(({ path }) => basename(path)).sort()).toEqual(BASICS)
  const [entry] = basics.filter(({ path }) => path.endsWith('/app.css'))
  expect(entry?.text.startsWith(`@layer ${ORDER};\n`)).toBe(true)
  expect([...(entry?.text.matchAll(/@import "\.\/(.+?)"/g) ?? [])].map(([, sheet]) => sheet).sort()).toEqual(
    BASICS.filter((sheet) => sheet !== 'app.css'),
  )
  expect(imports.find(([from]) => from === FRAME)).toEqual([FRAME, 'app/styles/app.css'])
})

test('every other sheet is imported by one file, which stands in its folder', () => {
  const strays = ofParts
    .map(({ path }) => [path, ...importersOf(path)])
    .filter(([path, ...by]) => by.length !== 1 || dirname(by[0]!) !== dirname(path!))
  expect(strays).toEqual([])
  expect(importersOf('app/styles/app.css')).toEqual([FRAME])
})

test('the rules of a page are in the layer of pages, those of shared parts in that of components', () => {
  const wrong = ofParts.filter(({ path, text }) => {
    const layer = path.startsWith('app/routes/') ? 'pages' : 'components'
    return !(text.startsWith(`@layer ${layer} {\n`) && text.endsWith('\n}\n') && text.split(/^\S/m).length === 3)
  })
  expect(wrong.map(({ path }) => path)).toEqual([])
})

const named = new Map(files.map((file) => [file.path, classesOf(file)]))
const defined = sheets.flatMap(({ path, text }) => [...new Set(classesIn(text))].map((name) => ({ path, name })))

test('there is no class in a sheet that no code puts on an element', () => {
  const dead = defined.filter(({ name }) => ![...named.values()].some((one) => names(one, name)))
  expect(dead).toEqual([])
})

test('what lies over what across components has a name, and within one a small number', () => {
  const levels = ofParts.flatMap(({ path, text }) =>
    [...text.matchAll(/z-index: ([^;]+);/g)].map(([, level]) => `${path} ${level}`),
  )
  expect(levels.filter((one) => !/ (var\(--z-[a-z]+\)|-1|[0-4])$/.test(one))).toEqual([])
})

test('each token is used, and no other is asked for', () => {
  const [tokens] = sheets.filter(({ path }) => path.endsWith('/tokens.css'))
  const of = (pattern: RegExp, ...texts: string[]) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name)))
  const all = [...sheets.map(({ text }) => text), ...files.map(({ text }) => text)]
  const [made, used] = [of(/(--[a-z][\w-]*)['"]?:? ?[,:]/g, ...all), of(/var\((--[a-z][\w-]*)/g, ...all)]
  expect([...of(/^ {2}(--[a-z][\w-]*):/gm, tokens!.text)].filter((name) => !used.has(name))).toEqual([])
  expect([...used].filter((name) => !made.has(name))).toEqual([])
})

/** Class to the sheets with a rule of its own for it. */
const owners = new Map<string, string[]>()
for (const { path, text } of ofParts)
  for (const [, name = ''] of text.matchAll(/^ {2}\.([a-z][\w-]*)/gm))
    owners.set(name, [...(owners.get(name) ?? []), path])

test('a page loads the sheets of all classes that its elements have', () => {
  const pages = files.map(({ path }) => path).filter((path) => /^app\/routes\/[^/]+\/route\.tsx$/.test(path))
  const missing = pages.flatMap((page) => {
    const loaded = loadedBy(startsOf(page, pages))
    const isBare = (name: string) => owners.get(name)?.every((path) => !loaded.has(path))
    return [...loaded].flatMap((path) =>
      [...(named.get(path)?.whole ?? [])].filter(isBare).map((name) => `${page}: .${name} of ${path}`),
    )
  })
  expect(missing).toEqual([])
})
