import ts from 'typescript'
import { expect, test } from 'vitest'
import { allCalls } from '../../app/api/all-calls.server.ts'
import { UPLOAD_PATHS } from '../../app/request/upload-paths.ts'
import { type SourceFile, sources } from './source.ts'

const GUARD =
  /\b(require(Member|Viewer|Anonymous|ApiMember|ApiViewer|Proof|Local|Role)|openPage|answerCall)\(|throw redirect\('\/'\)/

/** The functions and constants at the top of a file, by name. */
function topOf({ tree }: SourceFile): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const node of tree.statements) {
    if (ts.isFunctionDeclaration(node) && node.name) found.set(node.name.text, node.getText())
    if (!ts.isVariableStatement(node)) continue
    const text = node.getText()
    const names = node.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name)
        ? [name.text]
        : name.elements.flatMap((one) => (ts.isBindingElement(one) ? [one.name.getText()] : [])),
    )
    for (const name of names) found.set(name, text)
  }
  return found
}

/** Whether this part of a route, or a part of the same file that it names, asks who is there. */
function isGuarded(name: string, parts: ReadonlyMap<string, string>, seen: ReadonlySet<string> = new Set()): boolean {
  const text = parts.get(name)
  if (text === undefined || seen.has(name)) return false
  if (GUARD.test(text)) return true
  const mentioned = [...parts.keys()].filter((other) => new RegExp(`\\b${other}\\b`).test(text))
  return mentioned.some((other) => isGuarded(other, parts, new Set([...seen, name])))
}

/** Those whose forms only refuse whoever comes by mistake. */
const TAKES_NO_FORM = /^app\/routes\/(audit\._index|admin\..*|\$)\/route\.tsx$/

test('every page with a form keeps it where no answer comes', () => {
  const losing = sources(['app/routes'])
    .filter(({ path }) => path.endsWith('/route.tsx') && !TAKES_NO_FORM.test(path))
    .filter((file) => topOf(file).has('action') && !topOf(file).get('clientAction')?.includes('sendForm('))
  expect(losing.map(({ path }) => path)).toEqual([])
})

test('every loader and every action guards itself', () => {
  const open = sources(['app/routes']).flatMap((file) => {
    const parts = topOf(file)
    return ['loader', 'action']
      .filter((name) => parts.has(name) && !isGuarded(name, parts))
      .map((name) => `${file.path} ${name}`)
  })
  expect(open).toEqual([])
})

/** `profile_.edit` is `/profile/edit`. */
const addressOf = (path: string) => `/${path.split('/')[2]?.replaceAll('_.', '.').replaceAll('.', '/')}`

test('the paths that take files are those of the calls with a form and of the routes that receive files', () => {
  const calls = allCalls.filter(({ form }) => form).map(({ path }) => `/api${path}`)
  const receiving = sources(['app/routes']).filter(({ text }) => /\bpurposes:|\bmedia\.receive\(/.test(text))
  const pages = receiving.map(({ path }) => addressOf(path))
  expect([...calls, ...new Set(pages)].sort()).toEqual([...UPLOAD_PATHS].sort())
})
