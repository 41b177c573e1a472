import { expect, test } from 'vitest'
import * as embedded from '../../../eventstore/embedded/storage/noticed.ts'
import * as engine from '../../../eventstore/noticed.ts'
import { CONNECT_MS } from '../../../services/postgres/answered-in-time.ts'
import { NOTICED } from '../../../services/postgres/heard-connections.ts'

test('connections of the log, the engine and the services notice silence alike', () => {
  for (const one of [embedded, engine]) expect([one.NOTICED, one.CONNECT_MS]).toEqual([NOTICED, CONNECT_MS])
})
