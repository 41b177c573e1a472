import type { AuditCommand } from '../../domain/audit/commands.ts'
import { auditDecider } from '../../domain/audit/decider.ts'
import type { Auditor, View } from '../../domain/audit/events.ts'
import { MemberId } from '../../domain/shared/ids.ts'
import type { Ports } from '../ports.ts'

/** What an audit needs of a request; a tool brings the same. */
export type Auditing = Pick<Ports, 'note' | 'loadState' | 'now' | 'requestId'>

/** The members whose sealed fields this auditor has open, each with until when. */
export async function openedBy(context: Auditing, auditor: Auditor): Promise<ReadonlyMap<string, Date>> {
  const id = auditDecider.streamId({ type: 'ViewAccount', auditor } as AuditCommand)
  const { revealed } = await context.loadState(auditDecider, id)
  const now = context.now()
  return new Map(Object.entries(revealed).filter(([, until]) => until > now))
}

/** Records a look before anything is shown: what cannot be recorded is not shown. */
export function noteView(context: Auditing, auditor: Auditor, member: MemberId, view: View): Promise<void> {
  return record(context, { type: 'ViewAccount', auditor, member, view, at: context.now() })
}

/** Records that a history left the product, and how many events of it. */
export function noteExport(context: Auditing, auditor: Auditor, member: MemberId, events: number): Promise<void> {
  return record(context, { type: 'ExportHistory', auditor, member, events, at: context.now() })
}

/** Opens a member's sealed fields to this auditor for a while. `reason` is tidied already. */
export function reveal(
  context: Auditing,
  auditor: Auditor,
  { member, reason, commandId }: { member: MemberId; reason: string; commandId: string },
): Promise<void> {
  return record(context, { type: 'RevealFields', auditor, member, reason, at: context.now() }, commandId)
}

async function record(context: Auditing, command: AuditCommand, commandId: string = crypto.randomUUID()) {
  const { auditor } = command
  const source = { commandId, actor: auditor, correlationId: context.requestId }
  const done = await context.note(auditDecider, command, source)
  if (!done.ok) throw new Error(`A look could not be recorded: ${done.reason}`)
}

/** Records that somebody was looked for, found or not, without the words. */
function noteSearch(context: Auditing & Pick<Ports, 'credentials'>, auditor: Auditor, of: Found, words: string) {
  const asked = context.credentials.emailKey(words)
  return record(context, { type: 'SearchAccount', auditor, asked, found: of.members.length, at: context.now() })
}

/** Who is looked for: one member, several whose stream it is, or nobody. */
export type Found = { readonly members: readonly MemberId[]; readonly stream: string | null }

const STREAM = /^[a-z]+-[0-9a-z_]{1,80}$/

/**
 * By id, e-mail address or stream; that somebody was looked for is recorded. An erased member has no address any more,
 * and is found by id or stream.
 */
export async function findAccounts(context: Searching, auditor: Auditor, asked: string): Promise<Found> {
  const word = asked.trim()
  const found = await lookUp(context, word)
  await noteSearch(context, auditor, found, word)
  return found
}

type Searching = Auditing & Pick<Ports, 'history' | 'credentials'>

async function lookUp(context: Searching, word: string): Promise<Found> {
  if (word.includes('@')) {
    const known = await context.credentials.findByEmail(word)
    return { members: known ? [known.member] : [], stream: null }
  }
  const id = MemberId.safeParse(word)
  if (id.success) return { members: (await context.history.account(id.data)) ? [id.data] : [], stream: null }
  if (!STREAM.test(word)) return { members: [], stream: null }
  return { members: await context.history.whose(word), stream: word }
}
