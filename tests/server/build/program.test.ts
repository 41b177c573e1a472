import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../../server/root.ts'
import { currentProgram } from '../../../server/tools/build/built.js'
import { buildPages } from '../../../server/tools/build/pages.ts'
import { freePort, startProgram } from '../../drills/program-child.ts'
import { makeClip } from '../../services/support/clips.ts'
import { jpeg } from '../../services/support/pictures.ts'
import { childrenOf, isThere, withProc } from '../../services/support/processes.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { runProgram } from '../../support/tool.ts'
import { environmentOf, startWorld } from '../../support/world.ts'
import { builtProgram, sourcesOfProgram } from './program-folder.ts'

beforeAll(async () => {
  await buildPages(ROOT, true)
})

const run = (folder: string, ...words: string[]) =>
  runProgram(process.execPath, [join(folder, 'server/run.js'), ...words], { DATA_DIR: join(tempDir(), 'data') })

const LOG_TOOL = 'server/tools/cli/log.ts'
function change(folder: string, file: string, from: string, to: string): void {
  const path = join(folder, file)
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}

test('the program is built when it is not yet, and again when a source has changed', async () => {
  const folder = sourcesOfProgram('all')
  const first = await run(folder, 'log', '--help')
  expect(first).toMatchObject({ code: 0, err: 'Building the program …\n' })
  expect(await run(folder, 'log', '--help')).toEqual({ ...first, err: '' })
  change(folder, LOG_TOOL, 'The embedded log server alone', 'Nothing but the log')
  const changed = await run(folder, 'log', '--help')
  expect(changed).toMatchObject({ code: 0, err: 'Building the program …\n' })
  expect(changed.out).toContain('Nothing but the log')
  // What was built before is there for processes that run it.
  expect(
    readdirSync(join(folder, 'build/program'), { withFileTypes: true }).filter((one) => one.isDirectory()),
  ).toHaveLength(2)
})

test('pages that are built already are taken where nothing can be written', async () => {
  const folder = tempDir()
  for (const name of readdirSync(ROOT)) if (name !== 'node_modules') symlinkSync(join(ROOT, name), join(folder, name))
  // In place of a folder that belongs to somebody else: root may write everywhere.
  writeFileSync(join(folder, 'node_modules'), '')
  expect(await buildPages(folder, true)).toBe(false)
})

test('a source that cannot be built, and a name that nothing has, are reported and end with 1', async () => {
  const folder = sourcesOfProgram('all')
  change(folder, LOG_TOOL, 'const HELP', 'const const HELP')
  const broken = await run(folder, 'log', '--help')
  expect(broken).toMatchObject({ code: 1, out: '' })
  expect(broken.err).toContain('server/tools/cli/log.ts')
  expect(await run(ROOT, 'frobnicate')).toEqual({ code: 1, out: '', err: 'There is no program "frobnicate".\n' })
})

test('sources without what builds them are not run, and it says what to do', async () => {
  const { code, out, err } = await run(sourcesOfProgram('production'), 'log', '--help')
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('esbuild, which builds it, is not installed. Run npm ci without --omit=dev')
})

test('whatever a built file names beside it is there', () => {
  const folder = join(ROOT, 'build/program', currentProgram(ROOT)!.folder)
  const named = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [
      ...readFileSync(join(folder, name), 'utf8').matchAll(/new URL\("\.\/([^"]+)", import\.meta\.url\)/g),
    ])
    .map(([, file]) => file!)
  expect(named).toEqual(expect.arrayContaining(['log-process.js', 'media-process.js', 'scan-worker.js', 'towns.json']))
  // How a worker reads TypeScript, of which a build has none.
  const missing = named.filter((file) => file !== 'typescript-worker.js' && !existsSync(join(folder, file)))
  expect(missing).toEqual([])
})

withProc(() => {
  test('a build with the packages of production alone serves pages and takes files in production', async () => {
    const world = await startWorld({ web: false })
    onTestFinished(() => world.stop())
    const port = await freePort()
    const program = await startProgram({
      root: builtProgram(),
      dataDir: tempDir(),
      port,
      env: {
        ...environmentOf(world),
        APP_MODE: 'production',
        RATE_LIMITS: 'on',
        HOST: '127.0.0.1',
        PUBLIC_URL: `http://localhost:${port}`,
        SMTP_URL: 'smtp://127.0.0.1:1',
      },
    })
    onTestFinished(() => program.stop())
    const page = await fetch(`${program.url}/login`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('</html>')
    const { token } = await world.member('Ann')
    const files = [await jpeg(), await makeClip({ format: 'mp4', seconds: 1 })]
    for (const content of files) expect((await upload(program.url, token, content)).status).toBe(200)
    const [worker] = childrenOf(program.pid, 'media-process.js')
    expect(worker).toBeDefined()
    await program.stop()
    expect(worker && isThere(worker)).toBe(false)
  })
})

function upload(url: string, token: string, content: Uint8Array): Promise<Response> {
  const body = new FormData()
  body.append('purpose', 'post')
  body.append('file', new Blob([new Uint8Array(content)]), 'file')
  return fetch(`${url}/api/upload-media-file`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body })
}

test('what such a server does not bring is named, with what to do', async () => {
  const folder = builtProgram()
  const list = await run(folder, 'events', 'list')
  expect([list.code, list.err]).toEqual([1, expect.stringContaining('read from the sources, and they are not here')])
  const log = await run(folder, 'log', '--port', '0')
  expect([log.code, log.err]).toEqual([1, expect.stringContaining('set DATABASE_URL to a Postgres server')])
  rmSync(join(folder, 'build/sources.sha256'))
  const build = await run(folder, 'build')
  expect([build.code, build.err]).toEqual([1, expect.stringContaining('The pages are not built')])
})
