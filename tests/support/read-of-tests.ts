import { afterAll, beforeAll } from 'vitest'
import type { DomainEvent } from '../../domain/all-events.ts'
import { allProjections } from '../../projections/all-projections.ts'
import type { ReadDb } from '../../projections/projection.ts'
import { joined } from './people.ts'
import { project } from './project.ts'
import { type ReadModels, readModels } from './read-db.ts'
import { recorded } from './recorded.ts'

/** The read models of one file of tests. Those named have joined before anything else happens. */
export function readOfTests(names: readonly string[], beside: Parameters<ReadModels['fill']>[1] = {}) {
  let read: ReadModels
  beforeAll(async () => {
    read = await readModels()
  })
  afterAll(() => read.close())
  const everyone = names.flatMap((name) => joined(name))
  return {
    /** Fills the read models from this history alone, and answers their database. */
    having: async (...events: DomainEvent[]): Promise<ReadDb> => {
      await read.fill(project(allProjections, recorded(...everyone, ...events)), beside)
      return read.db
    },
    db: () => read.db,
  }
}
