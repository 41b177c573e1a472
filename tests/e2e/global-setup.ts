import { prepareBrowser } from '../support/browser.ts'
import startRun from '../support/global-setup.ts'

/** A run's folder and Postgres, and a browser that is unpacked before the workers start. */
export default async function setup(): Promise<() => Promise<void>> {
  await prepareBrowser()
  return startRun()
}
