import { redirect } from '@remix-run/node'
import { z } from 'zod'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { findAccess } from '../../../projections/view/access.ts'
import { block } from '../../../usecases/pair/block.ts'
import { unblock } from '../../../usecases/pair/unblock.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { notFound } from '../../request/guards.server.ts'
import { ownPath } from '../../request/return-to.ts'
import { requireOther } from '../../ui/person/other-member.server.ts'
import { PAIR_WORDS } from '../../words/pair-words.ts'
import { BLOCKED_PEOPLE, UNBLOCK } from './unblock-form.ts'

const BlockForm = z.object({
  intent: z.string().optional(),
  /** Where an unblock leads. */
  back: z.string().optional(),
  commandId: CommandId,
})

/** Blocks and leads home; unblocks and leads to `back` (spec 2 §2). */
export async function blockAction(acting: Acting, userId: string | undefined, form: FormData): Promise<FormReply> {
  const target = requireOther({ me: acting.who.member, userId })
  const sent = readForm(form, BlockForm, {})
  if (!sent.ok) return sent.reply
  const { intent, back, commandId } = sent.value
  const undo = intent === UNBLOCK
  const matched = !undo && (await findAccess(acting.read, acting.who.member, target)) === 'matched'
  const outcome = await (undo ? unblock : block)(acting, { target, commandId })
  if (outcome.ok)
    throw redirect(undo ? afterUnblock(target, commandId, back) : `/?blocked=${target}${matched ? '&matched' : ''}`)
  if (outcome.reason === 'unknown') throw notFound()
  return refusedReply(form, PAIR_WORDS, outcome)
}

/** Home names whom the command unblocked. */
function afterUnblock(target: MemberId, commandId: string, back: string | undefined): string {
  const to = ownPath(back, BLOCKED_PEOPLE)
  return to === `/?unblocked=${target}` ? `${to}&command=${commandId}` : to
}
