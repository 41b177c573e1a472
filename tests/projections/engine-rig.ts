import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { DomainEvent, EventNamed } from '../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { createCodec } from '../../eventstore/codec.ts'
import { idFrom, uuidFrom } from '../../eventstore/ids.ts'
import { createKeyRing, type KeyRing } from '../../eventstore/keys.ts'
import { createProjector, type ProjectorDeps } from '../../projections/engine/engine.ts'
import type { RebuildDeps } from '../../projections/engine/rebuild.ts'
import type { Projection } from '../../projections/projection.ts'
import { compareWithTables, foldOfLog } from '../support/fold-of-log.ts'
import { logTemplate, startTestLog } from '../support/log.ts'
import { messageId } from '../support/people.ts'
import { testDatabase } from '../support/postgres.ts'
import { appTemplate } from '../support/templates/app.ts'

export const member = (name: string) => idFrom('toy member', name) as MemberId
export const AT = new Date('2026-02-01T10:00:00.123Z')

/** Connections of an ended pool may still be closing when their database goes. */
export function quiet(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Writes into an empty log's own table, before its server is there. */
type Before = (logDatabase: pg.ClientConfig, keys: KeyRing) => Promise<void>

/** A log and a migrated database of its own, and projectors over them on demand. */
export async function startEngineRig(before?: Before) {
  const [app, logs] = await Promise.all([
    testDatabase({ template: appTemplate }),
    testDatabase({ template: logTemplate }),
  ])
  const pool = quiet(new pg.Pool({ ...app.config, max: 16 }))
  const masterKey = randomBytes(32)
  const keys = createKeyRing(pool, masterKey)
  await before?.(logs.config, keys)
  const { log, connectionString, stop: stopLog } = await startTestLog({ database: logs.config })
  const codec = createCodec(keys)
  const reports: { level: string; text: string; fields: object }[] = []
  const projectors: { stop(): Promise<void> }[] = []
  const revisions = new Map<string, number>()

  const project = (projections: readonly Projection[], more: Partial<ProjectorDeps> = {}) => {
    const report: ProjectorDeps['report'] = (level, text, fields) => void reports.push({ level, text, fields })
    const deps = { log, codec, keys, pool, projections, now: () => new Date(), report, ...more }
    const projector = createProjector(deps)
    projectors.push(projector)
    return projector
  }

  const stopProjectors = async () => {
    await Promise.all(projectors.splice(0).map((projector) => projector.stop()))
  }

  /** Appends to one stream, after what this rig appended to it before. */
  const append = async (stream: string, ...events: DomainEvent[]): Promise<Position> => {
    const from = revisions.get(stream) ?? 0
    revisions.set(stream, from + events.length)
    const ids = events.map((_, index) => uuidFrom(stream, from + index))
    const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: 'system' }
    const stored = await codec.encode(stream, events, ids, meta)
    return (await log.append(stream, from === 0 ? 'no_stream' : from - 1, stored)).position
  }

  return {
    log,
    codec,
    keys,
    pool,
    reports,
    /** The log's address. */
    connectionString,
    config: app.config,
    /** The database of the log's table. */
    logDatabase: logs.config,
    masterKey,
    project,
    append,
    /** Differences between the views and a plain fold of the log. */
    wrongRows: async (projections: readonly Projection[]) =>
      compareWithTables(pool, projections, await foldOfLog(log, codec, projections)),
    stopProjectors,
    async stop() {
      await stopProjectors()
      await stopLog()
      await pool.end()
      await Promise.all([app.drop(), logs.drop()])
    },
  }
}
export type EngineRig = Awaited<ReturnType<typeof startEngineRig>>

export const buzzed = (from: MemberId, to: MemberId): DomainEvent => ({
  type: 'Buzzed',
  from,
  to,
  via: 'discover',
  at: AT,
})

export const sent = (from: MemberId, to: MemberId, number: number): EventNamed<'MessageSent'> => ({
  type: 'MessageSent',
  message: messageId(`m${number}`),
  number,
  from,
  to,
  text: `word ${number}`,
  media: null,
  at: AT,
})

export const pairStream = (a: MemberId, b: MemberId) => `pair-${pairIdOf(a, b)}`

/** Buzzes and messages over a few members and pairs, the same for the same number. */
export async function appendLoad(rig: Pick<EngineRig, 'append'>, rounds: number, label = 'load'): Promise<void> {
  const people = Array.from({ length: 12 }, (_, index) => member(`${label}${index}`))
  const pairs = people.slice(1).map((other, index) => [people[index]!, other] as const)
  const counts = new Map<string, number>()
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      pairs.map(async ([a, b]) => {
        const stream = pairStream(a, b)
        const number = (counts.get(stream) ?? 0) + 1
        counts.set(stream, number + 1)
        await rig.append(stream, buzzed(a, b), sent(a, b, number), sent(b, a, number + 1))
      }),
    )
  }
}

/** What a rebuild is given that reads the log's own table, and is not stopped. */
export const rebuildDepsOf = ({ log, codec, keys, pool, logDatabase: table }: EngineRig): RebuildDeps => ({
  log,
  codec,
  keys,
  pool,
  table,
  signal: new AbortController().signal,
})
