import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { vi } from 'vitest'

type ToolName = 'admin' | 'backup' | 'events' | 'history' | 'log' | 'projections' | 'seed'
type Variables = Readonly<Record<string, string>>
export type Ran = { code: number; out: string; err: string }

const root = resolve(import.meta.dirname, '../..')
const fileOf = (tool: ToolName) => resolve(root, `server/tools/cli/${tool}.ts`)

/**
 * A tool as it is typed, built and in a process of its own. One test of each tool does that; the rest asks what it prints and does, by
 * `runToolHere`.
 */
export const runTool = (tool: ToolName, args: readonly string[], env: Variables = {}): Promise<Ran> =>
  runProgram(process.execPath, [resolve(root, 'server/run.js'), tool, ...args], env)

/** Any program, in the folder of the product. */
export function runProgram(file: string, args: readonly string[], env: Variables = {}): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(file, args, { cwd: root, env: { ...process.env, ...env } }, (_, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    )
  })
}

let before: Promise<unknown> = Promise.resolve()
let runs = 0

/** The same without the start of a process. One after the other: each has arguments, variables and output for itself. */
export function runToolHere(tool: ToolName, args: readonly string[], env: Variables = {}): Promise<Ran> {
  const mine = before.then(() => runHere(tool, args, env))
  before = mine.catch(() => undefined)
  return mine
}

async function runHere(tool: ToolName, args: readonly string[], env: Variables): Promise<Ran> {
  const own = { argv: process.argv, env: process.env }
  const [out, err] = [heard(process.stdout), heard(process.stderr)]
  process.argv = [process.execPath, fileOf(tool), ...args]
  process.env = { ...process.env, ...env }
  process.exitCode = 0
  try {
    // A tool does its work as it is loaded, and each name is loaded once.
    await import(`${fileOf(tool)}?run=${++runs}`)
    return { code: Number(process.exitCode), out: out.text(), err: err.text() }
  } finally {
    Object.assign(process, own)
    process.exitCode = undefined
    out.end()
    err.end()
  }
}

/** What is written to a stream, kept from it until the end. */
function heard(stream: NodeJS.WriteStream) {
  const written = vi.spyOn(stream, 'write').mockReturnValue(true)
  return {
    text: () => written.mock.calls.map(([part]) => String(part)).join(''),
    end: () => written.mockRestore(),
  }
}
