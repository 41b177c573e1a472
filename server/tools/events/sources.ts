import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '../../..')

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

/** Everything that the files of one folder export, by file. */
export async function exportsOf(folder: string): Promise<{ path: string; value: unknown }[]> {
  const files = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.ts'))
  const found: { path: string; value: unknown }[] = []
  for (const file of files.sort()) {
    const exported = (await import(join(ROOT, folder, file))) as Record<string, unknown>
    for (const value of Object.values(exported)) found.push({ path: `${folder}/${file}`, value })
  }
  return found
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

/** Constants that are declared as `Decider<Commands, Events, …>`, with the name of their events' type. */
export function decidersIn({ tree }: Source): { name: string; events: string }[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(({ name, type }) => {
      if (!type || !ts.isTypeReferenceNode(type) || type.typeName.getText() !== 'Decider') return []
      return [{ name: name.getText(), events: type.typeArguments?.[1]?.getText() ?? '' }]
    })
  })
}

/** For `type Name = EventOf<(typeof list)[number]>` the name and the list. */
export function eventTypesIn({ tree }: Source): { name: string; list: string }[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isTypeAliasDeclaration(statement)) return []
    const list = /^EventOf<\(typeof (\w+)\)\[number\]>$/.exec(statement.type.getText())?.[1]
    return list ? [{ name: statement.name.text, list }] : []
  })
}
