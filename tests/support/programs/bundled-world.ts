import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { World } from '../world.ts'
import { bundled } from './bundled.ts'

type Worlds = typeof import('../world.ts')

/** Names the file that `bundledWorld` made. Worker processes inherit it. */
export const WORLD_BUNDLE = 'TEST_WORLD_BUNDLE'

/** The product of a test world in one file: to read each of its files anew takes every process that starts one seconds. */
export const bundledWorld = (): string => bundled(join(import.meta.dirname, '../world.ts'))

/** Reads the product only now: whoever wants no more than the names of the tests goes without. */
export async function startWorld(...options: Parameters<Worlds['startWorld']>): Promise<World> {
  const file = process.env[WORLD_BUNDLE] ?? bundledWorld()
  const worlds: Worlds = await import(pathToFileURL(file).href)
  return worlds.startWorld(...options)
}
