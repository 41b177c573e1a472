import { memberDecider } from '../../../domain/identity/member.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import { UndecodableEvent } from '../../../eventstore/codec.ts'
import { onOwnConnection } from '../../../projections/engine/transaction.ts'
import { endAccount } from '../../../usecases/identity/erase-account.ts'
import {
  askingOnce,
  type Erasing,
  ErasureIncomplete,
  finishErasure,
} from '../../../usecases/identity/finish-erasure.ts'
import { forgetLost, isLost } from '../../../usecases/identity/forget-lost.ts'
import { type ErasureParts, erasingOf } from './erasing.ts'
import { listWithoutAccount } from './without-account.ts'

/** `again`: erased before, and brought back by a backup. `finished`: an erasure that had stopped half way. */
export type Reapplied = { readonly again: number; readonly finished: number }

/** An erasure waits: for an event that this code cannot read, or for what it could not remove. */
export type OnWaiting = (error: unknown) => void
type Parts = ErasureParts & { readonly onWaiting: OnWaiting }
type Asking = { readonly core: Pick<ErasureParts['core'], 'loadState'>; readonly onWaiting: OnWaiting }

/**
 * Before anything is served: whoever is in the ledger of destroyed keys is erased once more where a restored backup
 * knows them, and an erasure that stopped with its process, or was made before there were certificates, comes to its
 * end. The ledger learns of keys that were destroyed while it was not at hand. What cannot be
 * read or removed stops no start.
 */
export async function reapplyErasures(
  erasure: ErasureParts,
  onWaiting: OnWaiting = () => undefined,
): Promise<Reapplied> {
  const parts = { ...erasure, onWaiting }
  const { core, services } = parts
  const { ledger } = services.erasure
  const { rows } = await onOwnConnection(core.storage.pool, (db) =>
    db.query<{ subject: string }>('select subject from app.destroyed_key'),
  )
  const destroyed = new Set(rows.map(({ subject }) => subject))
  const inLedger = await ledger.read()
  await ledger.add([...destroyed].filter((subject) => !inLedger.has(subject)))
  // All the keys before the first account: from here on nothing of theirs can be read.
  for (const subject of inLedger) if (!destroyed.has(subject)) await core.keys.destroy(subject)
  const erased = [...inLedger, ...destroyed]
  const current = await services.upToDate(['accounts'])
  const back = current ? await accountsOf(parts, erased) : erased
  const context = erasingOf(parts, 'system')
  const ended = await withStatus(parts, back, (status) => status !== 'none' && status !== 'gone')
  for (const member of ended) {
    // Before the log has it: where this process ends between the two, the next start comes to it all the same.
    await services.erasure.unsettle(member)
    await end(context, member)
  }
  // While read models are far behind, the reactor finishes what is half done.
  const unsettled = await services.erasure.listUnsettled()
  const suspects = current ? [...(await findSuspects(parts)), ...unsettled] : []
  const half = await withStatus(parts, suspects, (status) => status === 'gone')
  for (const member of ended) half.delete(member)
  const once = askingOnce(context)
  const again = await finishAll(parts, once, ended)
  const finished = await finishAll(parts, once, half)
  if (current) await settleOthers(parts, context, unsettled)
  return { again, finished }
}

/** Those with a row, and those of whose account a part is in quarantine. */
async function accountsOf({ core }: ErasureParts, among: readonly string[]): Promise<string[]> {
  if (among.length === 0) return []
  const { rows } = await onOwnConnection(core.storage.pool, (db) =>
    db.query<{ member: string }>(
      `select member from read.account where member = any($1)
       union select key from app.quarantine where name = 'accounts' and key = any($1)`,
      [among],
    ),
  )
  return rows.map(({ member }) => member)
}

/** While read models are behind, the log is asked about everybody who was ever erased, and the port waits. */
const ASKED_AT_ONCE = 16

/** The members among these whose accounts are so. */
export async function withStatus(
  parts: Asking,
  subjects: readonly string[],
  wanted: (status: string) => boolean,
): Promise<Set<MemberId>> {
  const found = new Set<MemberId>()
  // Keys of reports are there too.
  const members = [...new Set(subjects)].flatMap((subject) => MemberId.safeParse(subject).data ?? [])
  for (let from = 0; from < members.length; from += ASKED_AT_ONCE) {
    const asked = members.slice(from, from + ASKED_AT_ONCE)
    const statuses = await Promise.all(asked.map((member) => statusOf(parts, member)))
    for (const [at, status] of statuses.entries()) if (status !== null && wanted(status)) found.add(asked[at]!)
  }
  return found
}

/** Null where it cannot be read. */
async function statusOf({ core, onWaiting }: Asking, member: MemberId): Promise<string | null> {
  try {
    return (await core.loadState(memberDecider, member)).status
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error
    onWaiting(error)
    return null
  }
}

async function end(context: Erasing, member: MemberId): Promise<void> {
  const ended = await endAccount(context, member)
  if (!ended.ok) throw unfinished(member, ended.reason)
}

/** Answers how many came to their end. */
async function finishAll(parts: Parts, context: Erasing, members: ReadonlySet<MemberId>): Promise<number> {
  let count = 0
  for (const member of members) if (await finish(parts, context, member)) count++
  return count
}

/** False where something has to wait; the reactor or the next start resumes it. Nothing of theirs can be read any more. */
async function finish({ onWaiting }: Parts, context: Erasing, member: MemberId): Promise<boolean> {
  try {
    const finished = await finishErasure(context, member)
    if (!finished.ok) throw unfinished(member, finished.reason)
    return true
  } catch (error) {
    // Such as an event of a pair, without which nobody knows whether the other has blocked them, or a file that stays.
    if (!(error instanceof ErasureIncomplete)) onWaiting(error)
    return false
  }
}

const unfinished = (member: MemberId, reason: string) =>
  new Error(`The erasure of ${member} cannot be finished: ${reason}.`)

/** Keys of cases, and of members of whom this log knows nothing: what the database has of them goes, too. */
async function settleOthers(parts: Parts, context: Erasing, unsettled: readonly string[]): Promise<void> {
  for (const subject of unsettled) {
    const member = MemberId.safeParse(subject).data
    const status = member ? await statusOf(parts, member) : 'none'
    if (status !== 'none') continue
    // The next start resumes it.
    const waits = (error: unknown) => error instanceof ErasureIncomplete || parts.onWaiting(error)
    if (member && (await isLost(context, member))) await forgetLost(context, member).catch(waits)
    else await parts.services.erasure.settle(subject)
  }
}

const WITH_ROWS = `
  select member from app.credential union select member from app.session union select member from app.position
  union select member from app.idempotent_answer
  union select owner from app.media where owner is not null
  union select subject from app.subject_key where wrapped <> ''`

/** Who still has rows. */
const findSuspects = ({ core }: ErasureParts): Promise<string[]> => listWithoutAccount(core.storage.pool, WITH_ROWS)
