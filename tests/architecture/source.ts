import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '../..')

/** The folders of the project, in the order of their floors. */
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

/**
 * Every file below these folders whose name fits, TypeScript's without more. Paths are relative to the project, and a tree
 * is parsed where it is first asked for: most of what is looked for, the text alone shows not to be there.
 */
export function sources(folders: readonly string[] = FOLDERS, name = /\.tsx?$/): SourceFile[] {
  return listed(folders, name).map(read)
}

/** The files beside the folders whose names fit. */
export function atTop(name: RegExp): SourceFile[] {
  return readdirSync(root)
    .filter((file) => name.test(file))
    .map(read)
}

/** Files of tests share a process, and each looks at all sources. */
const known = new Map<string, SourceFile>()

function read(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const before = known.get(path)
  if (before?.text === text) return before
  let tree: ts.SourceFile | undefined
  const file = {
    path,
    text,
    get tree() {
      tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
      return tree
    },
  }
  known.set(path, file)
  return file
}

/** True for the path of a file, relative to the project. */
export const isThere = (path: string): boolean => existsSync(join(root, path))

/** Every page of Markdown at the top and in `docs`. */
export function pages(): Omit<SourceFile, 'tree'>[] {
  const paths = [...readdirSync(root).filter((file) => file.endsWith('.md')), ...listed(['docs'], /\.md$/)]
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ')
/** A comment without its slashes and stars, as long as it was. */
const wordsOf = (comment: string) => comment.replace(/\/\*+|\*+\/|^[ \t]*(?:\*|\/\/)|\/\/+/gm, blank)

const commentsByTree = new WeakMap<ts.SourceFile, string>()

/** The text of a file with all but its comments blanked, so that what is found keeps its line. */
export function commentsOf(file: Pick<SourceFile, 'text' | 'tree'>): string {
  const found = commentsByTree.get(file.tree) ?? readComments(file)
  commentsByTree.set(file.tree, found)
  return found
}

function readComments({ text, tree }: Pick<SourceFile, 'text' | 'tree'>): string {
  let comments = ''
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node) || node.getFullWidth() === 0) return
    const inside = node.getChildren()
    for (const child of inside) visit(child)
    if (inside.length > 0) return
    // What stands before a token is white space and comments alone.
    comments += blank(text.slice(comments.length, node.getFullStart()))
    comments += wordsOf(text.slice(node.getFullStart(), node.getStart()))
    comments += blank(text.slice(node.getStart(), node.getEnd()))
  }
  visit(tree)
  return comments
}

/** The same of a style sheet. */
export function commentsOfSheet({ text }: Pick<SourceFile, 'text'>): string {
  return text.replace(/\/\*[\s\S]*?\*\/|[^/]+|\//g, (part) => (part.startsWith('/*') ? wordsOf(part) : blank(part)))
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

/** The folders beside the project's that contain no code of the product: made ones, papers and pictures. */
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

type Imports = { readonly all: readonly string[]; readonly running: readonly string[] }
const importsByFile = new WeakMap<SourceFile, Imports>()

/** What a file imports, as written: static, re-exported and dynamic; `running` leaves out what is for types alone. */
export function importsOf(file: SourceFile, running = false): readonly string[] {
  const found = importsByFile.get(file) ?? { all: readImports(file, false), running: readImports(file, true) }
  importsByFile.set(file, found)
  return running ? found.running : found.all
}

function readImports(file: SourceFile, running: boolean): string[] {
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
