import { expect, test } from 'vitest'
import { allProjections } from '../../../projections/all-projections.ts'
import { handles } from '../../../projections/engine/fold.ts'
import { isPushed } from '../../../realtime/pushes/all-pushes.ts'

test.each(['constructor', 'toString', '__proto__'])('no read model and no push handles an event of type %s', (type) => {
  expect(allProjections.filter((projection) => handles(projection, type))).toEqual([])
  expect(isPushed(type)).toBe(false)
})
