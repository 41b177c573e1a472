import { expect, test } from 'vitest'
import type { Position } from '../../../domain/shared/recorded.ts'
import { memberModels } from '../../../projections/all-projections.ts'
import { shownBy } from '../../../server/waiting/shown.ts'
import { until } from '../../support/until.ts'

const at = (n: number) => String(n).padStart(13, '0') as Position
const log = { id: async () => 'log' }

/** Checkpoints of the live tables; an absent one is of none. */
function checkpoints(positions: () => ReadonlyMap<string, Position>) {
  const count = { asked: 0 }
  const query = async () => {
    count.asked++
    return { rows: [...positions()].map(([name, position]) => ({ name, position, logId: 'log' })) }
  }
  return { count, shown: shownBy(null, { query } as never, log) }
}
const allAt = (n: number) => new Map(memberModels.map((name) => [name, at(n)]))

test('without a projector it is the earliest checkpoint of the read models of members', async () => {
  const { shown } = checkpoints(() => new Map([...allAt(9), [memberModels[1]!, at(4)], ['history', at(2)]]))
  expect(await shown()).toBe(at(4))
})

test('one question is for all who ask at once, and a later one is asked anew', async () => {
  let n = 5
  const { shown, count } = checkpoints(() => allAt(n))
  expect(await Promise.all([shown(), shown(), shown()])).toEqual([at(5), at(5), at(5)])
  expect(count.asked).toBe(1)
  n = 6
  await until('it is asked anew', async () => (await shown()) === at(6))
  expect(count.asked).toBe(2)
})

test('it is not known while a read model shows nothing, nor while the database does not answer', async () => {
  const missing = allAt(5)
  missing.delete(memberModels[0]!)
  expect(await checkpoints(() => missing).shown()).toBeNull()
  const failing = checkpoints(() => {
    throw new Error('away')
  })
  expect(await failing.shown()).toBeNull()
})
