import { writeSync } from 'node:fs'
import pg from 'pg'
import { createCodec } from '../../eventstore/codec.ts'
import { createKeyRing } from '../../eventstore/keys.ts'
import { openLog } from '../../eventstore/log.ts'
import { rebuildAll } from '../../projections/engine/rebuild.ts'
import { toys } from '../support/toy-projections.ts'

export type FillOrder = {
  readonly log: string
  readonly app: pg.ClientConfig
  readonly table: pg.ClientConfig
  readonly masterKey: string
  /** Prints a line and stands still for ever once it has filled so many events. */
  readonly standAt: number
}

/** A rebuild as a process of its own, to be killed without a word. */
const order = JSON.parse(process.argv[2]!) as FillOrder
const pool = new pg.Pool(order.app)
const masterKey = Buffer.from(order.masterKey, 'hex')
const keys = createKeyRing(pool, masterKey)
const log = openLog({ connectionString: order.log })
const { signal } = new AbortController()
const deps = { log, codec: createCodec(keys), keys, pool, table: order.table, signal, writeEveryMs: -1 }
await rebuildAll(deps, toys, {
  onProgress(_name, { phase, done }) {
    if (phase !== 'fill' || done < order.standAt) return
    writeSync(1, 'it stands\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
})
