import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '../..')

/** The folders of the house, in the order of their floors. */
export const FOLDERS = [
  'domain',
  'eventstore',
  'services',
  'projections',
  'usecases',
  'reactors',
  'realtime',
  'app',
  'server',
  'migrations',
] as const

export type SourceFile = { readonly path: string; readonly text: string; readonly tree: ts.SourceFile }

/** Every TypeScript file below these folders, parsed. Paths are relative to the project. */
export function sources(folders: readonly string[] = FOLDERS): SourceFile[] {
  return listed(folders, /\.tsx?$/).map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) }
  })
}

/** Every style sheet, as text. */
export function styles(): Omit<SourceFile, 'tree'>[] {
  return listed(FOLDERS, /\.css$/).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** The paths of the files below these folders whose names fit. */
export function listed(folders: readonly string[], name: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && name.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
}

/** The folders beside the house that hold no code of the product: made ones, papers and pictures. */
const OUTSIDE = /^(\..*|node_modules|build|data|test-results|docs|public)$/

/** Every folder at the top of the project that may hold code. */
export function topFolders(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !OUTSIDE.test(entry.name))
    .map((entry) => entry.name)
}

/** True for an import that leaves nothing in what runs. */
function isForTypes(node: ts.Node): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly
  if (!ts.isImportDeclaration(node)) return ts.isImportTypeNode(node)
  const { importClause } = node
  if (!importClause || importClause.isTypeOnly || importClause.name) return importClause?.isTypeOnly ?? false
  const { namedBindings } = importClause
  return !!namedBindings && ts.isNamedImports(namedBindings) && namedBindings.elements.every((one) => one.isTypeOnly)
}

/** What a file imports, as written: static, re-exported and dynamic; `running` leaves out what is for types alone. */
export function importsOf(file: SourceFile, running = false): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (running && isForTypes(node)) return
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      found.push((node.moduleSpecifier as ts.StringLiteral).text)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments
      if (specifier && ts.isStringLiteral(specifier)) found.push(specifier.text)
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
      found.push(node.argument.literal.text)
    ts.forEachChild(node, visit)
  }
  visit(file.tree)
  return found
}

/** Relative imports as [importer, imported], both relative to the project. */
export function edges(files: readonly SourceFile[], running = false): [string, string][] {
  return files.flatMap((file) =>
    importsOf(file, running)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier): [string, string] => [file.path, relative(root, resolve(root, dirname(file.path), specifier))]),
  )
}

export type FunctionLength = {
  readonly path: string
  readonly name: string
  readonly lines: number
  readonly jsx: boolean
}

/** Each function with its length in lines; one that holds JSX counts as a component. */
export function functionsOf(file: SourceFile): FunctionLength[] {
  const found: FunctionLength[] = []
  const line = (position: number) => file.tree.getLineAndCharacterOfPosition(position).line
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const lines = line(node.getEnd()) - line(node.getStart()) + 1
      const name = node.name?.getText() ?? `line ${line(node.getStart()) + 1}`
      found.push({ path: file.path, name, lines, jsx: /\.tsx$/.test(file.path) && holdsJsx(node) })
    }
    ts.forEachChild(node, visit)
  }
  visit(file.tree)
  return found
}

function holdsJsx(node: ts.Node): boolean {
  if (ts.isJsxElement(node) || ts.isJsxFragment(node) || ts.isJsxSelfClosingElement(node)) return true
  return ts.forEachChild(node, (child) => holdsJsx(child) || undefined) ?? false
}
