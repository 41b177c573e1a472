import { isDescribed } from '../../support/described/hold.ts'
import { expect, test } from '../fixture.ts'

test('what the product of a worker answers is checked against its document', ({ world }) => {
  expect(isDescribed(`${world.url}/healthz`)).toBe(true)
})
