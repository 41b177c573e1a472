import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the product, which has package.json: for the sources, and for what is built of them. */
export const ROOT = folderAbove(import.meta.dirname)

function folderAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  if (dirname(folder) === folder) throw new Error(`No folder above ${import.meta.dirname} has a package.json.`)
  return folderAbove(dirname(folder))
}
