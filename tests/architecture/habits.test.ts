import { basename } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { type SourceFile, sources, styles } from './source.ts'

const product = sources()
const tests = sources(['tests'])
const sheets = styles()
/** This folder holds the patterns that it looks for. */
const isHere = (path: string) => path.startsWith('tests/architecture/')
const paths = (files: readonly Pick<SourceFile, 'path'>[]) => files.map((file) => file.path)
const holding = (files: readonly Pick<SourceFile, 'path' | 'text'>[], pattern: RegExp) =>
  paths(files.filter((file) => pattern.test(file.text) && !isHere(file.path)))

test('files are named in kebab-case', () => {
  const kebab = /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.(tsx?|css)$/
  const stamped = /^migrations\/\d{8}T\d{6}Z-[a-z0-9-]+\.ts$/
  const odd = [...product, ...tests, ...sheets].filter(
    ({ path }) => !path.startsWith('app/routes/') && !kebab.test(basename(path)) && !stamped.test(path),
  )
  expect(paths(odd)).toEqual([])
})

test('modules export names, and a default where Remix wants one', () => {
  const isDefault = (node: ts.Statement) =>
    ts.isExportAssignment(node) ||
    (ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) ||
    (ts.isExportDeclaration(node) &&
      node.exportClause &&
      ts.isNamedExports(node.exportClause) &&
      node.exportClause.elements.some(({ name }) => name.text === 'default'))
  const suspects = product.filter(({ text }) => /\bdefault\b|\bexport\s*=/.test(text))
  const defaults = suspects.filter(({ tree }) => tree.statements.some(isDefault))
  const wanted = /^app\/(routes\/|root\.tsx$|routes\.ts$|entry\.)/
  expect(paths(defaults).filter((path) => !wanted.test(path))).toEqual([])
})

test('text is normalised in one place, which bounds what it costs', () => {
  expect(holding(product, /\.normalize\('NF/)).toEqual(['domain/shared/normal.ts', 'services/nearby/towns.ts'])
})

test('an address that comes from outside is read in one place, which bounds what it costs', () => {
  expect(holding(product, /\bURL\.(canParse|parse)\(/)).toEqual(['server/config-variables.ts'])
})

test('there is no barrel but that of the migrations', () => {
  const passesOn = (node: ts.Statement) =>
    ts.isExportDeclaration(node) && (node.moduleSpecifier as ts.StringLiteral | undefined)?.text.startsWith('.')
  const suspects = product.filter(({ text }) => /\bexport\b\s*(type\s*)?[{*]/.test(text))
  const passing = suspects.filter(({ tree }) => tree.statements.every(passesOn))
  const named = product.filter(({ path }) => /(^|\/)index\.tsx?$/.test(path))
  expect(paths([...new Set([...named, ...passing])])).toEqual(['migrations/index.ts'])
})

test('no test mocks a module, sleeps or is skipped', () => {
  const forbidden =
    /\bvi\.(mock|doMock|hoisted)\(|waitForTimeout|\b(test|it|describe)\.(only|skip|todo|fixme)\b|(?<!\.)\bsetTimeout\(|timers\/promises/
  const measured = /^tests\/(support|drills|bench)\//
  expect(holding(tests, forbidden).filter((path) => !measured.test(path))).toEqual([])
})

test('what the product answers a test is checked against its description', () => {
  expect(holding(tests, /import \{[^}]*\bstartWeb\b/)).toEqual(['tests/support/described/serve-web.ts'])
  const askers = tests.filter(({ text }) => /import \{[^}]*\brequest\b[^}]*\} from 'node:http'/.test(text))
  const ofProduct = askers.filter(({ text }) => /\bstartWorld\b|holdNode/.test(text))
  expect(ofProduct.length).toBeGreaterThan(1)
  expect(paths(ofProduct.filter(({ text }) => !text.includes('holdNode(')))).toEqual([])
  // Those of realtime are answered by sockets alone, which the document does not describe.
  const readers = tests.filter(
    ({ path, text }) =>
      !path.startsWith('tests/realtime/') &&
      /import \{[^}]*\bconnect\b[^}]*\} from 'node:(net|tls)'/.test(text) &&
      /'(data|readable)'|\bfor await\b|\bsetEncoding\(/.test(text),
  )
  const rawOfProduct = readers.filter(({ text }) => /\b(startWorld|startProgram|serveWeb|holdRaw)\b/.test(text))
  expect(paths(rawOfProduct)).toContain('tests/support/servers/half-open.ts')
  expect(paths(rawOfProduct.filter(({ text }) => !text.includes('holdRaw(')))).toEqual([])
  const measured = /^tests\/(architecture|bench)\//
  const browsers = tests.filter(({ path, text }) => text.includes('.newContext(') && !measured.test(path))
  expect(browsers.length).toBeGreaterThan(1)
  expect(paths(browsers.filter(({ text }) => !text.includes('holdPages(')))).toEqual([])
})

test('no object literal is spread into another, where its properties could be written', () => {
  const spreadsLiteral = (node: ts.Node): boolean =>
    ((ts.isSpreadAssignment(node) || ts.isJsxSpreadAttribute(node)) && ts.isObjectLiteralExpression(node.expression)) ||
    (ts.forEachChild(node, (child) => spreadsLiteral(child) || undefined) ?? false)
  const dots = /\.\.\.\s*[{/]/
  const suspects = [...product, ...tests].filter(({ text }) => dots.test(text))
  expect(paths(suspects.filter(({ tree }) => spreadsLiteral(tree)))).toEqual([])
})

test('nothing sets inner HTML', () => {
  expect(holding(product, /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML/)).toEqual([])
})

test('no element cuts off what is typed: the browser counts UTF-16 units, the server characters', () => {
  const cuts = product.filter(({ path }) => path.startsWith('app/') && path.endsWith('.tsx'))
  expect(holding(cuts, /\bmaxLength(=| ?[}:,])/)).toEqual([])
})

test('the body of a form is read by one module, with its limits', () => {
  expect(holding(product, /\.formData\(\)/)).toEqual([])
  expect(holding(product, /from '@fastify\/busboy'/)).toEqual(['services/media/multipart.ts'])
})

test('no deadline is one of several signals: Node forgets it at its next collection of garbage', () => {
  const deadline = /AbortSignal\.any\(\s*\[[^\]]*AbortSignal\.timeout\(/
  expect(holding(product, deadline)).toEqual([])
})

test('comments describe the present, with no task left behind', () => {
  const left = /(?:\/\/|\/\*|^\s*\*)[^\n]*\b(TODO|FIXME|XXX|HACK)\b/m
  expect(holding([...product, ...tests, ...sheets], left)).toEqual([])
})

test('the compiler is contradicted nowhere', () => {
  expect(holding([...product, ...tests], /@ts-(ignore|nocheck|expect-error)/)).toEqual([])
})

test('the domain reads no clock and throws no dice', () => {
  const domain = product.filter(({ path }) => path.startsWith('domain/'))
  const impure = /\bDate\.now\(|\bnew Date\(\)|Math\.random|randomUUID|performance\.now|process\.env/
  expect(holding(domain, impure)).toEqual([])
})

test('no two files of browser tests have people in one place: they share a world, and each a deck that the other fills', () => {
  const files = new Map<string, Set<string>>()
  for (const { path, text } of sources(['tests/e2e']))
    for (const [place] of text.matchAll(/lat: -?[\d.]+, lng: -?[\d.]+/g))
      files.set(place, (files.get(place) ?? new Set()).add(path))
  const shared = [...files].filter(([, paths]) => paths.size > 1).map(([place, paths]) => [place, ...paths])
  expect(shared).toEqual([])
})
