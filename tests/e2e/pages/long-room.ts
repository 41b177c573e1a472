import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { type MessageId, pairIdOf } from '../../../domain/shared/ids.ts'
import { matched, messageSent } from '../../support/people.ts'
import { record } from '../../support/templates/crowd.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { expect } from '../fixture.ts'

export const log = (page: Page) => page.getByRole('log')
export const bubbles = (page: Page) => log(page).locator('.bubble-text')
export const message = (page: Page, number: number) => log(page).getByText(`Message ${number}`, { exact: true })

/** Two who wrote so many messages to each other. */
export async function longRoom(world: World, names: readonly [string, string], count: number) {
  const [one, other] = [await world.member(names[0]), await world.member(names[1])]
  const now = new Date()
  const sent = Array.from({ length: count }, (_, index) => {
    const [from, to] = (index + 1) % 3 ? [one, other] : [other, one]
    const message = randomUUID() as MessageId
    return { ...messageSent(from.id, to.id, index + 1, `Message ${index + 1}`, now), message } as DomainEvent
  })
  await record(world, [`pair-${pairIdOf(one.id, other.id)}`, [...matched(one.id, other.id, now), ...sent]])
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
