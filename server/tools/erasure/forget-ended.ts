import type { Core } from '../../core.ts'
import { withStatus } from './reapply.ts'
import { listWithoutAccount } from './without-account.ts'

const WITH_KEY = `select subject as member from app.subject_key where wrapped <> ''`

/**
 * Before a process reads the log from somewhere in it: the keys of those whose account has ended and whose key is still there. It does
 * not come to the end of these accounts any more, and would read what was written behind it. Whoever is signing up keeps theirs.
 */
export async function forgetEnded(core: Pick<Core, 'storage' | 'keys' | 'loadState'>): Promise<void> {
  const subjects = await listWithoutAccount(core.storage.pool, WITH_KEY)
  // What cannot be read is reported by what comes after it.
  const asking = { core, onWaiting: () => undefined }
  for (const member of await withStatus(asking, subjects, (status) => status === 'gone')) core.keys.forget(member)
}
