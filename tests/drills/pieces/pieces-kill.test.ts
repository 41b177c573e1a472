import { expect, test } from 'vitest'
import { piecesKillDrill } from './pieces-kill.ts'

test('an erasure that goes in pieces is certified behind the last of them, whoever dies and goes on', async () => {
  const result = await piecesKillDrill({ kills: 1 })
  expect(result).toMatchObject({ met: 1, early: 0, certificates: 1, wrong: [], left: [] })
})
