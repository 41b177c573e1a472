import { prepareBrowser } from '../support/browser.ts'
import startRun from '../support/global-setup.ts'
import { bundledWorld, WORLD_BUNDLE } from '../support/programs/bundled-world.ts'

/** A run's folder and Postgres, and a browser and a product that are unpacked and bundled before the workers start. */
export default async function setup(): Promise<() => Promise<void>> {
  await prepareBrowser()
  process.env[WORLD_BUNDLE] = bundledWorld()
  return startRun()
}
