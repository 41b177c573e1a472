import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'

/** Of an age that nobody else has: whoever named no place is near everybody. */
const dob = '1940-05-06'
const NEAR = { preferences: { ageRange: [84, 90] as [number, number], distanceMiles: 5 } }
/** Names of people without anybody else within reach, for each file of tests a row of its own. */
let towns = 0
const nextTown = (row: number) => ({ lat: -54 + 0.9 * towns++, lng: row })

type Setup = { world: World; open: (options: object) => Promise<Page>; row: number; script?: boolean; live?: boolean }

/** Yan's deck with people who are not pushed out of it; `gone` is on top. `live`: with the socket. */
export async function deckOf(count: 1 | 2 | 4, { world, open, row, script = true, live = false }: Setup) {
  const location = nextTown(row)
  const yan = await world.member('Yan', { location, ...NEAR })
  const people = []
  for (const name of ['Zia', 'Zoe', 'Zac', 'Zed'].slice(0, count))
    people.push(await world.member(name, { location, dob }))
  await world.settled()
  const page = await open({ as: yan, phone: true, refusals: true, script })
  if (script && !live) await page.context().routeWebSocket(/\/realtime$/, () => undefined)
  await page.goto('/discover')
  const first = await page.locator('.deck-card:not([aria-hidden])').getByRole('heading').innerText()
  const [gone, next] = first.startsWith(people[0]!.name) ? people : people.toReversed()
  return { page, yan, people, gone: gone!, next: next! }
}
