import { allProjections } from '../../projections/all-projections.ts'
import { createCaughtUp } from '../../projections/engine/caught-up.ts'
import { loadConfig } from '../../server/config.ts'
import { type Core, openCore } from '../../server/core.ts'
import { findRunning } from '../../server/data-dir.ts'
import { openSecrets } from '../../server/secrets.ts'

const CATCH_UP_MS = 120_000

/** Looks into a running program beside it, once its read models have caught up with its log. */
export async function withCoreOf<T>(
  dataDir: string,
  work: (core: Core) => Promise<T>,
  { settled = true }: { settled?: boolean } = {},
): Promise<T> {
  const running = findRunning(dataDir)
  if (!running?.databases || !running.eventstoreUrl) throw new Error('The program does not say where its parts are.')
  const secrets = openSecrets(loadConfig({ DATA_DIR: dataDir }))
  const core = await openCore({ database: running.databases.app, log: running.eventstoreUrl, secrets })
  try {
    if (settled) await untilSettled(core)
    return await work(core)
  } finally {
    await core.close()
  }
}

async function untilSettled({ log, storage }: Core): Promise<void> {
  const names = allProjections.map(({ name }) => name)
  if (!(await createCaughtUp(storage.pool, log)(await log.head(), names, CATCH_UP_MS)))
    throw new Error('The read models did not catch up.')
}
