import type { Page } from 'playwright'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect } from '../fixture.ts'

export const log = (page: Page) => page.getByRole('log')
export const bubbles = (page: Page) => log(page).locator('.bubble-text')
export const message = (page: Page, number: number) => log(page).getByText(`Message ${number}`, { exact: true })

/** Two who wrote so many messages to each other. */
export async function longRoom(world: World, names: readonly [string, string], count: number) {
  const [one, other] = [await world.member(names[0]), await world.member(names[1])]
  await world.match(one, other)
  await world.settled()
  for (let n = 1; n <= count; n++) await world.sendMessage(n % 3 ? one : other, n % 3 ? other : one, `Message ${n}`)
  await world.settled()
  return [one, other] as [Person, Person]
}

/** Scrolls up as far as this message, as a hand does: to the top, and again when earlier ones came. */
export async function scrollUpTo(page: Page, number: number): Promise<void> {
  const up = async () => {
    await log(page).evaluate((room) => room.scrollTo(0, 0))
    return message(page, number).count()
  }
  await expect.poll(up, { timeout: 60_000, intervals: [100] }).toBe(1)
}
