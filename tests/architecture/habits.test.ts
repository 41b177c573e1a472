import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { type SourceFile, sources } from './source.ts'

const product = sources()
const tests = sources(['tests'])
const paths = (files: readonly SourceFile[]) => files.map((file) => file.path)
const holding = (files: readonly SourceFile[], pattern: RegExp) =>
  paths(files.filter((file) => pattern.test(file.text)))

test('files are named in kebab-case', () => {
  const odd = [...product, ...tests].filter(
    ({ path }) => !path.startsWith('app/routes') && !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.tsx?$/i.test(basename(path)),
  )
  expect(paths(odd)).toEqual([])
})

test('modules export names, and a default where Remix wants one', () => {
  const defaults = holding(product, /^export default/m)
  expect(defaults.filter((path) => !/^app\/(routes\/|root\.tsx|routes\.ts|entry\.)/.test(path))).toEqual([])
})

test('there is no barrel but that of the migrations', () => {
  const barrels = product.filter(({ path }) => /(^|\/)index\.tsx?$/.test(path) && path !== 'migrations/index.ts')
  expect(paths(barrels)).toEqual([])
})

test('no test mocks a module, sleeps or is skipped', () => {
  expect(
    holding(tests, /\bvi\.(mock|doMock)\(|waitForTimeout|\b(test|it|describe)\.(only|skip)\(/).filter(
      (path) => !path.startsWith('tests/architecture'),
    ),
  ).toEqual([])
})

test('nothing sets inner HTML', () => {
  expect(
    holding(product, /dangerouslySetInnerHTML/).filter((path) => path !== 'app/components/inline-script.tsx'),
  ).toEqual([])
})

test('every route guards itself first', () => {
  const guards =
    /require(Member|Viewer|Anonymous|ApiMember|ApiViewer|Proof|Local)\(|openPage\(|apiRoute\(|redirect\('\/'\)/
  const open = product.filter(
    ({ path, text }) =>
      path.startsWith('app/routes/') &&
      /export (async function|const) (loader|action)\b/.test(text) &&
      !guards.test(text),
  )
  expect(paths(open)).toEqual([])
})

test('comments tell the present, with no task left behind', () => {
  expect(
    holding([...product, ...tests], /\/\/.*\b(TODO|FIXME|XXX|HACK)\b/).filter(
      (path) => !path.startsWith('tests/architecture'),
    ),
  ).toEqual([])
})
