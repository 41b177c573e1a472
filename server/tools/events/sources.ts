import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../../root.ts'

export type Source = { readonly path: string; readonly tree: ts.SourceFile }

/** The product's own files below a folder, parsed; paths are relative to the project. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({
      path: relative(ROOT, file),
      tree: ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true),
    }))
}

/** Words in quotes that are values, not types. */
export function stringsIn({ tree }: Source): Set<string> {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && !ts.isLiteralTypeNode(node.parent)) found.add(node.text)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** A constant that is declared as `Decider<Commands, Events, …>` or the like, with the types in the brackets. */
export type Declared = {
  readonly name: string
  readonly types: readonly string[]
  readonly value: ts.ObjectLiteralExpression | undefined
}

/** The constants at the top of a file whose declared type has this name. */
export function declaredAs(typeName: string, { tree }: Source): Declared[] {
  return constantsIn(tree).flatMap(({ name, type, initializer }) => {
    if (!type || !ts.isTypeReferenceNode(type) || type.typeName.getText() !== typeName) return []
    const value = initializer && ts.isObjectLiteralExpression(initializer) ? initializer : undefined
    return [{ name: name.getText(), types: type.typeArguments?.map((one) => one.getText()) ?? [], value }]
  })
}

/** The words in quotes that a property of an object holds, alone or in a list. */
export function wordsOf(property: string, { value }: Declared): string[] {
  const found = value?.properties.find(
    (one): one is ts.PropertyAssignment => ts.isPropertyAssignment(one) && one.name.getText() === property,
  )?.initializer
  const all = found && ts.isArrayLiteralExpression(found) ? [...found.elements] : [found]
  return all.flatMap((one) => (one && ts.isStringLiteral(one) ? [one.text] : []))
}

/** For `type Name = EventOf<(typeof list)[number]>` the name, and the events in the list, which are named as their types. */
export function eventTypesIn({ tree }: Source): { name: string; events: string[] }[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isTypeAliasDeclaration(statement)) return []
    const list = /^EventOf<\(typeof (\w+)\)\[number\]>$/.exec(statement.type.getText())?.[1]
    const found = constantsIn(tree).find(({ name }) => name.getText() === list)?.initializer
    const elements = found && ts.isAsExpression(found) ? found.expression : found
    if (!elements || !ts.isArrayLiteralExpression(elements)) return []
    return [{ name: statement.name.text, events: elements.elements.map((one) => one.getText()) }]
  })
}

const constantsIn = (tree: ts.SourceFile): readonly ts.VariableDeclaration[] =>
  tree.statements.flatMap((one) => (ts.isVariableStatement(one) ? [...one.declarationList.declarations] : []))
