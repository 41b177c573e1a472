import { expect, test } from 'vitest'
import { realtimeKillDrill } from '../drills/realtime-kill.ts'

/** Each kill starts a process anew, which takes its time on a busy machine. */
const WITHIN_MS = 240_000

test(
  'three kills of realtime nodes while members talk lose, double and reorder nothing',
  async () => {
    const result = await realtimeKillDrill({ kills: 3 })
    expect(result.expected).toBeGreaterThan(200)
    expect(result).toMatchObject({ kills: 3, missed: 0, doubled: 0, outOfOrder: 0, resyncs: 0 })
  },
  WITHIN_MS,
)

test(
  'the same drill finds what clients lose that do not say where they were',
  async () => {
    const result = await realtimeKillDrill({ kills: 2, resume: false })
    expect(result.missed).toBeGreaterThan(0)
  },
  WITHIN_MS,
)
