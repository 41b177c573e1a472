import { expect, test, vi } from 'vitest'
import { claimInTime } from '../../app/api/first-answer.server.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import type { Claim } from '../../services/idempotency.ts'

const ANSWERED: Claim = { state: 'answered', answer: { status: 200, body: '{}' } }
const requestOf = (member: string) => ({ member: member as MemberId, route: 'POST /likes', key: 'key', request: '{}' })
const stays = new AbortController().signal

/** A claim of which the first request ends after so many looks. */
function endsAfter(looks: number) {
  const claim = vi.fn(async (): Promise<Claim> => (claim.mock.calls.length > looks ? ANSWERED : { state: 'running' }))
  return { claim }
}

test('a repeat gets the answer that the first request has in the end', async () => {
  expect(await claimInTime(endsAfter(2), requestOf('ann'), stays)).toEqual(ANSWERED)
})

test('so many repeats of a member wait; the next one does not, and one of another member does', async () => {
  const never = endsAfter(Number.POSITIVE_INFINITY)
  const leaving = Array.from({ length: 24 }, () => new AbortController())
  const waiting = leaving.map(({ signal }) => claimInTime(never, requestOf('bea'), signal))
  const next = endsAfter(1)
  expect(await claimInTime(next, requestOf('bea'), stays)).toEqual({ state: 'running' })
  expect(next.claim).toHaveBeenCalledTimes(1)
  expect(await claimInTime(endsAfter(1), requestOf('cat'), stays)).toEqual(ANSWERED)
  for (const one of leaving) one.abort()
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ state: 'running' })))
  expect(await claimInTime(endsAfter(1), requestOf('bea'), stays)).toEqual(ANSWERED)
})
