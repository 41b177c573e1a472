import { readdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { MasterKey } from '../../../domain/shared/master-key.ts'
import { erasedOf } from './manifest.ts'

/**
 * The keys that a backup and those beside it know as destroyed: one that was named by a link may have neighbours in two folders.
 * `unasked`: what did not answer in the folder that it really is in.
 */
export async function askBeside(
  folder: string,
  masterKey: MasterKey,
): Promise<{ erased: Set<string>; unasked: string[] }> {
  const own = dirname(await realpath(folder))
  const erased = new Set<string>()
  const unasked: string[] = []
  for (const beside of new Set([own, dirname(resolve(folder))])) {
    for (const name of (await readdir(beside)).sort()) {
      const theirs = await erasedOf(join(beside, name), masterKey)
      if (!theirs && beside === own) unasked.push(join(beside, name))
      for (const subject of theirs ?? []) erased.add(subject)
    }
  }
  return { erased, unasked }
}
