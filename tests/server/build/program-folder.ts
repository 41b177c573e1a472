import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../../../server/root.ts'
import { FOLDERS } from '../../architecture/source.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** What a server without sources is given, beside its packages (docs/how-to/deploy.md). */
export const BROUGHT = ['package.json', 'package-lock.json', 'server/run.js', 'server/tools/build/built.js', 'build']
/** A folder with the build of this program, and the packages that `npm ci --omit=dev` installs. */
export function builtProgram(): string {
  const folder = copyOf(BROUGHT)
  for (const name of productionPackages()) link(folder, join('node_modules', name))
  return folder
}

/** A folder with the sources of this program, and all packages or those of production. */
export function sourcesOfProgram(packages: 'all' | 'production'): string {
  const folder = copyOf(['package.json', 'tsconfig.json', ...FOLDERS])
  if (packages === 'all') link(folder, 'node_modules')
  else for (const name of productionPackages()) link(folder, join('node_modules', name))
  return folder
}

function copyOf(names: readonly string[]): string {
  const folder = tempDir()
  for (const name of names) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  return folder
}

function link(folder: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  symlinkSync(join(ROOT, path), join(folder, path))
}

/** Of the lock file, those that are at hand to the program itself. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; optional?: true; devOptional?: true }>
  }
  return Object.entries(packages)
    .filter(
      ([path, { dev, optional, devOptional }]) =>
        /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && !optional && !devOptional,
    )
    .map(([path]) => path.slice('node_modules/'.length))
}
