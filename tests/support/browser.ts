import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright'
import { hasRoomInMemory } from './temp-folder.ts'

const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/chromium')
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
]
const ARGUMENTS = ['--no-sandbox', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']

/** A process of its own for drawing, and one for the empty page before each first page, take an eighth more of the processors' time. */
export const FEW_PROCESSES: readonly string[] = ['--in-process-gpu', '--renderer-process-limit=1']

/** Its processes share memory in files of the disk, which takes a tenth more of the processors' time. */
const SHARED_ON_DISK = ['--disable-dev-shm-usage']

/** A usual browser's: some servers take HeadlessChrome for a robot and render differently for it. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'

/** The options of an ordinary visitor: spread them into `browser.newContext`. */
export const VISITOR: BrowserContextOptions = { userAgent: USER_AGENT, locale: 'en-GB' }

type Executable = { path: string; libraries?: string }

async function unpack(archive: string, target: string): Promise<void> {
  if (existsSync(target)) return
  const partial = `${target}.${process.pid}`
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(partial))
  await rename(partial, target)
}

/** The Chromium inside the npm package, unpacked once, with the libraries that a bare system lacks. */
async function packaged(): Promise<Executable | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const bin = path.join(entry.slice(0, entry.lastIndexOf(`${path.sep}build${path.sep}`)), 'bin')
  await mkdir(CACHE, { recursive: true })
  const executable = path.join(CACHE, 'chromium')
  await unpack(path.join(bin, 'chromium.br'), executable)
  await chmod(executable, 0o755)
  for (const name of ['al2023', 'swiftshader']) {
    const tar = path.join(CACHE, `${name}.tar`)
    const done = `${tar}.done`
    if (existsSync(done)) continue
    await unpack(path.join(bin, `${name}.tar.br`), tar)
    execFileSync('tar', ['-xf', tar, '-C', CACHE, '--no-same-owner'])
    // Another process may have come first.
    if (existsSync(tar)) await rename(tar, done).catch(() => undefined)
  }
  return { path: executable, libraries: path.join(CACHE, 'lib') }
}

/** Unpacks what the tests' processes would otherwise unpack all at once. */
export const prepareBrowser = async (): Promise<void> => void (await findChromium())

/** In order: CHROMIUM_PATH, Playwright's own, the system's, the npm package's. */
async function findChromium(): Promise<Executable> {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (existsSync(named)) return { path: named }
    throw new Error(`CHROMIUM_PATH names ${named}, where there is no file.`)
  }
  const installed = [chromium.executablePath(), ...SYSTEM].find((file) => existsSync(file))
  const found = installed ? { path: installed } : await packaged()
  if (found) return found
  throw new Error(
    'No Chromium to test with. Set CHROMIUM_PATH to one, run "npx playwright install chromium", or install the chromium package of the system.',
  )
}

/** Starts a headless Chromium, with the processes of a usual one where there is no `more`; close it when done. */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executable = await findChromium()
  const { libraries } = executable
  const search = [libraries, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...(libraries && { LD_LIBRARY_PATH: search }) }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    ),
  )
  const ignoreDefaultArgs = hasRoomInMemory() ? SHARED_ON_DISK : []
  return chromium.launch({ executablePath: executable.path, args: [...ARGUMENTS, ...more], ignoreDefaultArgs, env })
}
