import { join } from 'node:path'
import { counted } from '../../../domain/shared/counted.ts'
import { createFileStore } from '../../../services/media/store.ts'
import type { Core } from '../../core.ts'
import { draftFolders } from '../../draft-folders.ts'
import { masterKeyId } from '../../keys/master-keys.ts'
import { masterKeysIn, type Secrets } from '../../secrets.ts'
import { UsageError } from '../cli/support/command.ts'
import { progressBar } from '../cli/support/progress.ts'
import { type Rotated, rotateMasterKey } from '../keys/rotate.ts'

export type RotateRequest = {
  readonly core: Pick<Core, 'storage'>
  readonly secrets: Secrets
  readonly dataDir: string
  readonly signal: AbortSignal
  readonly yes: boolean
}

const NAMED = 20

/** Throws `UsageError` where no key is named that another one follows. */
export function requireOldKey({ masterKey, masterKeyOld }: Pick<Secrets, 'masterKey' | 'masterKeyOld'>): void {
  if (!masterKeyOld)
    throw new UsageError(
      'rotate-master-key wants the new key as MASTER_KEY and the one before as MASTER_KEY_OLD; docs/how-to/rotate-keys.md has the steps.',
    )
  if (masterKeyOld.equals(masterKey))
    throw new UsageError(
      'MASTER_KEY and MASTER_KEY_OLD are the same key: rotate-master-key wants the new one as MASTER_KEY; docs/how-to/rotate-keys.md has the steps.',
    )
}

/** What is printed, and the code the tool ends with. */
export async function runRotation(request: RotateRequest): Promise<{ lines: string[]; code: number }> {
  const { core, secrets, dataDir, signal, yes } = request
  const bar = progressBar({ what: 'Sealing again', total: 0, unit: 'values' })
  const { masterKeyNext: _next, ...own } = secrets
  const keys = masterKeysIn(own)
  const rotated = await rotateMasterKey({
    pool: core.storage.pool,
    keys,
    store: createFileStore(join(dataDir, 'media'), draftFolders()),
    signal,
    despiteUnreadable: yes,
    at: (done, total) => bar.at(done, total),
  }).finally(() => bar.end())
  return { lines: linesOf(rotated, masterKeyId(keys[0])), code: rotated.retired.length > 0 ? 0 : 1 }
}

function linesOf({ seen, sealed, unreadable, retired, uncleared }: Rotated, current: string): string[] {
  const lines = [`${counted(seen, 'value')} looked at, ${sealed} sealed again under ${current}.`]
  if (unreadable.length > 0) {
    lines.push(`${counted(unreadable.length, 'value')} cannot be read under any of the keys, and stay as they are:`)
    lines.push(...unreadable.slice(0, NAMED).map((name) => `  ${name}`))
    if (unreadable.length > NAMED) lines.push(`  and ${unreadable.length - NAMED} more`)
  }
  if (retired.length === 0)
    return [
      ...lines,
      'The old key may not be forgotten yet: put back what is damaged and run this again, or add --yes to take it out of use all the same.',
    ]
  if (uncleared.length > 0)
    lines.push(
      `The files of Postgres may keep copies under the old key, in ${uncleared.join(', ')}: in use, large, or not for this user to clear. Run this again, or VACUUM (FULL) on those tables and a CHECKPOINT, in a quiet hour.`,
    )
  return [
    ...lines,
    `Nothing here is under ${retired.join(', ')} any more: take MASTER_KEY_OLD out of the configuration.`,
    `Backups made until now want it: keep it apart, with them, until the last of them is deleted; then it may be forgotten.`,
  ]
}
