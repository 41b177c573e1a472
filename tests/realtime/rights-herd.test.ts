import { expect, onTestFinished, test, vi } from 'vitest'
import { START } from '../../domain/shared/recorded.ts'
import { LIMITS } from '../../realtime/limits.ts'
import type { StoredRights } from '../../realtime/rights/loader.ts'
import { Rights } from '../../realtime/rights/rights.ts'
import { member } from '../eventstore/rig.ts'

const NOTHING: StoredRights = { relationsAt: START, accountsAt: START, matched: [], blocked: [], out: [] }

test('members who come at once are asked about once each, however long they wait for their turn', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let asked = 0
  const answers: (() => void)[] = []
  const readRights = ({ members }: { members: readonly unknown[] }) => {
    asked += members.length
    return new Promise<StoredRights>((resolve) => answers.push(() => resolve(NOTHING)))
  }
  const rights = new Rights(START, { limits: LIMITS, logLine: () => undefined, readRights })
  onTestFinished(() => rights.stop())
  const coming = Array.from({ length: 3_000 }, (_, number) => rights.enter(member(`m${number}`)))
  await vi.advanceTimersByTimeAsync(0)
  while (answers.length > 0) {
    await vi.advanceTimersByTimeAsync(4_000)
    for (const answer of answers.splice(0)) answer()
    await vi.advanceTimersByTimeAsync(0)
  }
  await Promise.all(coming)
  expect(asked).toBe(3_000)
})
