import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { RevealReason } from '../../../domain/audit/commands.ts'
import type { View } from '../../../domain/audit/events.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import type { Account } from '../../../projections/history/reader.ts'
import { noteView } from '../../../usecases/audit/note-view.ts'
import { openedBy } from '../../../usecases/audit/opened-by.ts'
import { reveal } from '../../../usecases/audit/reveal.ts'
import { constraintsOf, readForm, refusedReply } from '../../forms/form.server.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import type { Constraints, FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { notFound } from '../../request/guards.server.ts'
import { isFromElsewhere } from '../../request/used-elsewhere.ts'
import { PIPELINE_WORDS } from '../../words/words.ts'

const RevealForm = z.object({ intent: z.literal('reveal'), reason: RevealReason, commandId: CommandId })
const FIELDS = { reason: 'Say why you need to read what is sealed.' }

/** What the head of every page about an account shows. */
export type AccountHead = {
  readonly account: Account
  /** Until when the member's sealed fields are open to this auditor, ISO. */
  readonly openUntil: string | null
  readonly commandId: string
  /** Of the form that opens them. */
  readonly constraints: Constraints
}
/** `read` asks for what the page shows; it gets the members whose sealed fields are open to the auditor. */
type Looking<T> = {
  readonly request: Request
  readonly member: string | undefined
  readonly view: View
  readonly read: (member: MemberId, opened: ReadonlySet<string>) => Promise<T>
}

/**
 * The account that an address names. The look is recorded before any of it is shown, so a link of another site leads to
 * where accounts are looked for. Throws a 404.
 */
export async function openAccount<T>(
  context: RequestContext,
  auditor: MemberId,
  { request, member: word, view, read }: Looking<T>,
): Promise<{ head: AccountHead; shown: T }> {
  if (isFromElsewhere(request)) throw redirect('/audit')
  const member = MemberId.safeParse(word).data
  const [account, opened] = await Promise.all([
    member ? context.history.account(member) : null,
    openedBy(context, auditor),
  ])
  if (!account) throw notFound()
  const [shown] = await Promise.all([
    read(account.member, new Set(opened.keys())),
    noteView(context, auditor, account.member, view),
  ])
  const openUntil = opened.get(account.member)?.toISOString() ?? null
  const constraints = constraintsOf(RevealForm)
  return { head: { account, openUntil, commandId: crypto.randomUUID(), constraints }, shown }
}

/** Opens the sealed fields of a page's account, with the reason of the form, and comes back to the same page. */
export async function revealAction(
  context: RequestContext,
  auditor: MemberId,
  { request, member: word }: { request: Request; member: string | undefined },
): Promise<FormReply> {
  const member = MemberId.safeParse(word).data
  if (!member || !(await context.history.account(member))) throw notFound()
  const form = await receiveFields(context, request)
  const sent = readForm(form, RevealForm, FIELDS)
  if (!sent.ok) return sent.reply
  const { reason, commandId } = sent.value
  const opened = await reveal(context, auditor, { member, reason, commandId })
  if (!opened.ok) return refusedReply(form, PIPELINE_WORDS, opened)
  const { pathname, search } = new URL(request.url)
  throw redirect(`${pathname.replace(/\.data$/, '')}${search}`)
}
