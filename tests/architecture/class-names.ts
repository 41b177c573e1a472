import ts from 'typescript'
import type { SourceFile } from './source.ts'

/** The classes that the rules of a sheet are about. */
export function classesIn(sheet: string): string[] {
  const rules = sheet.replace(/\/\*[\s\S]*?\*\//g, '')
  const selectors = [...rules.matchAll(/([^{};]+)\{/g)].map(([, head]) => head!.trim())
  return selectors.filter((head) => !head.startsWith('@')).flatMap((head) => head.match(/(?<=\.)[a-z][\w-]*/g) ?? [])
}

/** `endings` are what a class put together at run time may end in: every other word of its file, and numbers. */
type Named = { whole: Set<string>; beginnings: Set<string>; endings: Set<string> }

/** The classes that a file puts on elements: in `className`, in `classes(…)`, and in a function or constant named `…Look`. */
export function classesOf({ tree }: SourceFile): Named {
  const named: Named = { whole: new Set(), beginnings: new Set(), endings: new Set() }
  const words = (text: string) => text.split(/\s+/).filter(Boolean)
  const put = (node: ts.Node): void => {
    if (isComparison(node)) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateTail(node))
      for (const word of words(node.text)) named.whole.add(word)
    if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node)) {
      const all = words(node.text)
      if (/\S$/.test(node.text)) named.beginnings.add(all.pop()!)
      for (const word of all) named.whole.add(word)
    }
    ts.forEachChild(node, put)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) named.endings.add(node.text)
    if (ts.isPropertyAssignment(node)) named.endings.add(node.name.getText())
    if (holdsClasses(node)) put(node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return named
}

/** Whether a file names a class, whole or as a beginning with an ending. */
export function names({ whole, beginnings, endings }: Named, name: string): boolean {
  if (whole.has(name)) return true
  return [...beginnings].some((beginning) => {
    const ending = name.startsWith(beginning) ? name.slice(beginning.length) : ''
    return /^\d+$/.test(ending) || (ending !== '' && endings.has(ending))
  })
}

const isComparison = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) &&
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(node.operatorToken.kind)

function holdsClasses(node: ts.Node): boolean {
  if (ts.isJsxAttribute(node)) return node.name.getText() === 'className'
  if (ts.isCallExpression(node)) return node.expression.getText() === 'classes'
  const isNamed = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node)
  return isNamed && /look$/i.test(node.name?.getText() ?? '')
}
