import { afterAll, beforeAll, describe } from 'vitest'
import { appendContract } from './log-contract/appends.ts'
import { beginningAnewContract } from './log-contract/beginning-anew.ts'
import { followingContract } from './log-contract/following.ts'
import { limitContract } from './log-contract/limits.ts'
import { linkContract } from './log-contract/links.ts'
import { metadataContract } from './log-contract/metadata.ts'
import { orderContract } from './log-contract/order.ts'
import { readContract } from './log-contract/reads.ts'
import { removalContract } from './log-contract/removal.ts'
import { repeatContract } from './log-contract/repeats.ts'
import { subscriptionContract } from './log-contract/subscriptions.ts'
import type { LogTarget } from './log-target.ts'

/** What the product relies on, whichever log it uses. Opens one client, since a process may have only one. */
export function logContract(name: string, open: () => Promise<LogTarget>): void {
  describe(name, () => {
    let target: LogTarget
    beforeAll(async () => {
      target = await open()
    })
    afterAll(() => target?.close())
    const client = () => target.client
    describe('appends', () => appendContract(client))
    describe('limits of appends', () => limitContract(client))
    describe('repeated appends', () => repeatContract(client))
    describe('reads', () => readContract(client))
    describe('order', () => orderContract(client))
    describe('subscriptions', () => subscriptionContract(client))
    describe('following', () => followingContract(client))
    describe('removal', () => removalContract(client))
    describe('deleted streams', () => beginningAnewContract(client))
    describe('metadata', () => metadataContract(client))
    describe('links', () => linkContract(client))
  })
}
