import { allProjections } from '../../../projections/all-projections.ts'
import { pauseProjection, resumeProjection } from '../../../projections/engine/care/pause.ts'
import { findQuarantined } from '../../../projections/engine/care/quarantined-keys.ts'
import { retryQuarantined } from '../../../projections/engine/care/retry.ts'
import { projectionStatus } from '../../../projections/engine/care/status.ts'
import { touchedBy } from '../../../projections/engine/care/touched-by.ts'
import { listUnknown } from '../../../projections/engine/care/unknown-tables.ts'
import { listTargets, schemaOf } from '../../../projections/engine/checkpoints.ts'
import type { AnyTable, Projection } from '../../../projections/projection.ts'
import { hurryEffects } from '../../../reactors/effects.ts'
import { finishesErasure } from '../../../reactors/finish-erasure.ts'
import { explainedLines, quarantineLines, retriedLines, statusLines } from './lines.ts'
import { projectionNamed, requireNames, type Tools } from './tools.ts'

type Print = (line: string) => void

export async function listAll({ core }: Tools, print: Print): Promise<number> {
  const { pool } = core.storage
  const targets = await listTargets(pool)
  const schemasOf = (name: string) => {
    for (const target of targets.filter((one) => one.name === name)) print(`  ${schemaOf(target)}  ${target.state}`)
  }
  for (const { name, version, tables } of allProjections) {
    print(`${name}  version ${version}  ${tables.map((table) => table.name).join(', ')}`)
    schemasOf(name)
  }
  for (const name of await listUnknown(pool, allProjections)) {
    print(`${name}  of another release`)
    schemasOf(name)
  }
  return 0
}

/**
 * Ends with 1 when a read model is missing, stuck or in quarantine; paused is no failure, nor is one of another release that is not
 * live.
 */
export async function statusOf(tools: Tools, names: readonly string[], print: Print): Promise<number> {
  await requireNames(tools, names)
  const { storage, log } = tools.core
  const deps = { pool: storage.pool, log, projections: allProjections, now: () => new Date() }
  let wrong = 0
  for (const one of await projectionStatus({ ...deps, ...(names.length > 0 && { names }) })) {
    for (const line of statusLines(one)) print(line)
    const stuck = one.targets.some(({ state, error }) => state !== 'retired' && error !== null)
    const missing = one.version !== null && !one.targets.some(({ state }) => state === 'live')
    if (stuck || one.quarantined > 0 || missing) wrong++
  }
  return wrong > 0 ? 1 : 0
}

export async function pauseOne({ core }: Tools, { name }: Projection, print: Print): Promise<number> {
  const fresh = await pauseProjection(core.storage.pool, name)
  print(fresh ? `${name} stands still until "resume ${name}".` : `${name} is paused already.`)
  return 0
}

export async function resumeOne({ core }: Tools, { name }: Projection, print: Print): Promise<number> {
  print((await resumeProjection(core.storage.pool, name)) ? `${name} runs again.` : `${name} is not paused.`)
  return 0
}

/** A key in quarantine, by an event of it or by its stream; ends with 1 when nothing is there. */
export async function explainQuarantined(
  { core }: Tools,
  eventOrKey: string,
  print: Print,
  name?: string,
): Promise<number> {
  const found = await findQuarantined({ pool: core.storage.pool, log: core.log }, eventOrKey, name)
  for (const one of found) for (const line of quarantineLines(one)) print(line)
  return found.length > 0 ? 0 : 1
}

/** A row by its key, the key's columns in order and separated by commas, or a key in quarantine. */
export async function explainRow(tools: Tools, projection: Projection, key: string, print: Print): Promise<number> {
  const { core, table, signal } = tools
  const rows = projection.tables.flatMap((one) => {
    const asked = keyOf(one, key)
    return asked ? [{ table: one, key: asked }] : []
  })
  const touched = (await touchedBy({ log: core.log, codec: core.codec, table, signal }, projection, rows)).filter(
    ({ touches }) => touches.length > 0,
  )
  for (const explained of touched) for (const line of explainedLines(explained)) print(line)
  const found = await explainQuarantined(tools, key, print, projection.name)
  if (touched.length === 0 && found !== 0) print(`No event of ${projection.name} touches ${key}.`)
  return touched.length > 0 ? 0 : found
}

function keyOf(table: AnyTable, text: string): Record<string, string | number> | null {
  const parts = text.split(',')
  if (parts.length !== table.key.length) return null
  return Object.fromEntries(
    table.key.map((column, index) => {
      const part = parts[index]!
      return [column, /^(small|big)?int/.test(table.columns[column]!) ? Number(part) : part]
    }),
  )
}

/** Applies the events of a key, in each read model that has it in quarantine. */
export async function retry({ core }: Tools, eventOrKey: string, print: Print): Promise<number> {
  const deps = { pool: core.storage.pool, log: core.log, codec: core.codec }
  const found = await findQuarantined(deps, eventOrKey)
  if (found.length === 0) print(`No read model holds ${eventOrKey}.`)
  let still = found.length === 0 ? 1 : 0
  for (const one of found) {
    const retried = await retryQuarantined(deps, projectionNamed(one.target.name), one)
    for (const line of retriedLines(retried)) print(line)
    if (retried.reason !== null) still++
    // What waited for this read model is not to wait for its next try as well.
    await hurryEffects(deps.pool, finishesErasure.name, `member-${one.key}`)
  }
  return still > 0 ? 1 : 0
}
