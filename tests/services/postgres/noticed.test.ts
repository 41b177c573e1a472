import { expect, test } from 'vitest'
import * as log from '../../../eventstore/postgres/noticed.ts'
import { CONNECT_MS } from '../../../services/postgres/answered-in-time.ts'
import { NOTICED } from '../../../services/postgres/heard-connections.ts'

test('connections of the log, the engine and the services notice silence alike', () => {
  expect([log.NOTICED, log.CONNECT_MS]).toEqual([NOTICED, CONNECT_MS])
})
