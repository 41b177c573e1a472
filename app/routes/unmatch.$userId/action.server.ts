import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { unmatch } from '../../../usecases/pair/unmatch.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { requireOther } from '../../ui/person/other-member.server.ts'
import { PAIR_WORDS } from '../../words/pair-words.ts'

const UnmatchForm = z.object({ commandId: CommandId })

/** Ends the match and leads to the own profile, which names whom it ended with (spec 2 §2). */
export async function unmatchAction(acting: Acting, userId: string | undefined, form: FormData): Promise<FormReply> {
  const target = requireOther({ me: acting.who.member, userId })
  const sent = readForm(form, UnmatchForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await unmatch(acting, { target, ...sent.value })
  if (outcome.ok) throw redirect(`/profile?unmatched=${target}&command=${sent.value.commandId}`)
  return refusedReply(form, PAIR_WORDS, outcome)
}
