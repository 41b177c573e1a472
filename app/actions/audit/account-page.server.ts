import { data, redirect } from '@remix-run/node'
import { RevealReason } from '../../../domain/audit/commands.ts'
import type { View } from '../../../domain/audit/events.ts'
import { MemberId } from '../../../domain/shared/ids.ts'
import type { Account } from '../../../projections/history/reader.ts'
import type { RequestContext } from '../../lib/request/context.server.ts'
import { commandIdOf, textOf } from '../../lib/request/forms.server.ts'
import { notFound } from '../../lib/request/guards.server.ts'
import { noteView, openedBy, reveal } from './auditing.server.ts'

/** What the head of every page about an account shows. */
export type AccountHead = {
  readonly account: Account
  /** Until when the member's sealed fields are open to this auditor, ISO. */
  readonly openUntil: string | null
  readonly commandId: string
}
export type Opening = { readonly head: AccountHead; readonly opened: ReadonlySet<string> }

/** The account that an address names; the look is recorded before anything of it is read. Throws a 404. */
export async function openAccount(
  context: RequestContext,
  auditor: MemberId,
  { member: word, view }: { member: string | undefined; view: View },
): Promise<Opening> {
  const member = MemberId.safeParse(word).data
  const account = member && (await context.history.account(member))
  if (!account) throw notFound()
  const [opened] = await Promise.all([openedBy(context, auditor), noteView(context, auditor, account.member, view)])
  const openUntil = opened.get(account.member)?.toISOString() ?? null
  return { head: { account, openUntil, commandId: crypto.randomUUID() }, opened: new Set(opened.keys()) }
}

/** Opens the sealed fields of a page's account, with the reason of the form, and comes back to the same page. */
export async function revealAction(
  context: RequestContext,
  auditor: MemberId,
  { request, member: word }: { request: Request; member: string | undefined },
) {
  const member = MemberId.safeParse(word).data
  if (!member || !(await context.history.account(member))) throw notFound()
  const form = await request.formData()
  const reason = RevealReason.safeParse(textOf(form, 'reason'))
  if (textOf(form, 'intent') !== 'reveal' || !reason.success)
    return data({ error: 'Say why you need to read what is sealed.' }, 400)
  await reveal(context, auditor, { member, reason: reason.data, commandId: commandIdOf(form) })
  const { pathname, search } = new URL(request.url)
  throw redirect(`${pathname.replace(/\.data$/, '')}${search}`)
}
