import { describe } from 'vitest'
import { logContract } from '../log.contract.ts'
import { openEmbedded, REAL_LOG } from '../log-target.ts'

/** So few streams are remembered that groups of appends forget some that they need. */
const TABLES = { span: 50, remembered: 4 }

describe.skipIf(REAL_LOG)('with partitions of few events', () => {
  logContract('the embedded log', () => openEmbedded({ tables: TABLES }))
})
