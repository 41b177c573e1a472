import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hours } from '../../../domain/shared/dates.ts'
import { valueOr } from '../../../domain/shared/personal.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { loadConfig } from '../../../server/config.ts'
import type { Core } from '../../../server/core.ts'
import { draftFolders } from '../../../server/draft-folders.ts'
import { openSecrets } from '../../../server/secrets.ts'
import { createMediaFiles } from '../../../services/media/media.ts'
import { createFileStore } from '../../../services/media/store.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { eventsOf } from '../../support/events-of-log.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { until } from '../../support/until.ts'
import { withCoreOf } from '../program-core.ts'

/** What a dead process had taken is another's only after its lease. */
const CERTIFIED_WITHIN_MS = 90_000

export type Acknowledged = { messages: string[]; buzzes: string[]; suspended: string[]; erased: string[] }

/** The last thing that a restarted product resumes. */
export function untilCertified(dataDir: string, erased: readonly string[]): Promise<unknown> {
  return withCoreOf(dataDir, (core) =>
    until(
      'every erasure is certified',
      async () => uncertified(await countEvents(core), erased).length === 0,
      CERTIFIED_WITHIN_MS,
    ).catch(() => undefined),
  )
}

/** Compares what was acknowledged with the log, the read models, the files, the mails and what erasures left. */
export function judgeSeams(dataDir: string, acknowledged: Acknowledged) {
  return withCoreOf(dataDir, async (core) => {
    const counts = await countEvents(core)
    const all = [...acknowledged.messages, ...acknowledged.buzzes, ...acknowledged.erased.map((id) => `erased ${id}`)]
    const { rows: mails } = await core.storage.pool.query<{ text: string }>('select text from app.mailbox')
    const mailsTo = acknowledged.suspended.map((id) => mails.filter(({ text }) => text.includes(`case ${id}`)).length)
    const folded = await foldOfLog(core.log, core.codec, allProjections)
    return {
      lost: all.filter((key) => !counts.has(key)).length,
      doubled: [...counts.values()].filter((count) => count > 1).length,
      wrong: await compareWithTables(core.storage.pool, allProjections, folded),
      left: [
        ...(await leftOfErased(core, acknowledged.erased)),
        ...uncertified(counts, acknowledged.erased),
        ...(await leftOfUploads(core, dataDir)),
      ],
      mailsMissing: mailsTo.filter((count) => count === 0).length,
      mailsTwice: mailsTo.filter((count) => count > 1).length,
    }
  })
}

async function countEvents({ log, codec }: Core): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const count = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  for await (const event of eventsOf(log, codec)) {
    if (event.type === 'Buzzed') count(`${event.from} ${event.to}`)
    if (event.type === 'MessageSent') count(valueOr(event.message, 'erased'))
    if (event.type === 'AccountErased') count(`erased ${event.member}`)
    if (event.type === 'EmailReleased') count(`released ${event.member}`)
    if (event.type === 'ErasureCertified') count(`certified ${event.member}`)
  }
  return counts
}

const uncertified = (counts: Map<string, number>, erased: readonly string[]) =>
  erased.filter((id) => !counts.has(`certified ${id}`)).map((id) => `no certificate of ${id}`)

const OWN = [
  ['session', 'member'],
  ['credential', 'member'],
  ['position', 'member'],
  ['idempotent_answer', 'member'],
  ['media', 'owner'],
  ['subject_key', 'subject'],
] as const

async function leftOfErased({ storage }: Core, erased: readonly string[]): Promise<string[]> {
  const left: string[] = []
  for (const [table, column] of OWN) {
    // A destroyed key leaves its place empty.
    const only = table === 'subject_key' ? `and wrapped <> ''` : ''
    const { rows } = await storage.pool.query(
      `select ${column} as id from app.${table} where ${column} = any($1) ${only}`,
      [erased],
    )
    left.push(...rows.map(({ id }) => `${table} of ${id}`))
  }
  return left
}

/** Each row has its file at once; files without a row go with the sweep of a day later. */
async function leftOfUploads({ storage }: Core, dataDir: string): Promise<string[]> {
  const folder = join(dataDir, 'media')
  const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const names = new Set(files().map(({ name }) => name))
  const ids = async () => (await storage.app.selectFrom('media').select('id').execute()).map(({ id }) => id)
  const left = (await ids()).filter((id) => !names.has(id)).map((id) => `a row without its file: ${id}`)
  const { masterKey } = openSecrets(loadConfig({ DATA_DIR: dataDir }))
  const tomorrow = () => new Date(Date.now() + hours(25))
  await createMediaFiles({
    db: storage.app,
    now: tomorrow,
    store: createFileStore(folder, draftFolders()),
    masterKey,
    workers: createMediaWorkers(),
  }).sweep()
  const forms = await storage.app.selectFrom('media_form').select('file').execute()
  const known = new Set([...(await ids()), ...forms.map(({ file }) => file)])
  return [...left, ...files().flatMap(({ name }) => (known.has(name) ? [] : [`a file without a row: ${name}`]))]
}
