import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { REASON_MAX } from '../../../domain/safety/commands.ts'
import { MessageId } from '../../../domain/shared/ids.ts'
import { lengthOf, text } from '../../../domain/shared/text.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { type ReportRefusal, report } from '../../../usecases/safety/report.ts'
import { readForm, refusedReply } from '../../forms/form.server.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import type { RequestContext } from '../../request/context.server.ts'
import { requireOther } from '../../ui/person/other-member.server.ts'
import { FROM_ROOM, isFromRoom } from '../../ui/room-path.ts'
import { PIPELINE_WORDS, type WordTable } from '../../words/words.ts'

const QUICK_MAX = 100

type Given = { readonly quick: string; readonly words: string }
const reasonOf = ({ quick, words }: Given) => [quick, words].filter(Boolean).join(': ')

/** A quick reason, own words, or both: together they are the reason. */
export const ReportForm = z
  .object({ quick: text(QUICK_MAX).default(''), words: text(REASON_MAX).default(''), commandId: CommandId })
  .refine((sent) => lengthOf(reasonOf(sent)) <= REASON_MAX, { path: ['words'] })

const INVALID = { status: 400, error: 'Invalid request.' } as const
const REQUIRED = { status: 400, error: 'A reason is required.', field: 'quick' } as const
const WORDS: WordTable<ReportRefusal> = {
  ...PIPELINE_WORDS,
  'reason-required': REQUIRED,
  self: INVALID,
  unknown: { status: 404, error: 'Not found' },
  'no-report': INVALID,
}
const FIELDS = {
  words: `A reason can have at most ${REASON_MAX.toLocaleString('en')} characters, including the one chosen above.`,
}

/** Reports the member of the address, with the message that the address names; leads to the thanks (api-contract C44). */
export async function reportAction(
  acting: Acting,
  { context, userId, request }: { context: RequestContext; userId: string | undefined; request: Request },
): Promise<FormReply> {
  const form = await receiveFields(context, request)
  const target = requireOther({ me: acting.who.member, userId })
  const sent = readForm(form, ReportForm, FIELDS)
  if (!sent.ok) return sent.reply
  const { commandId } = sent.value
  const reason = reasonOf(sent.value)
  const outcome = await report(acting, { target, reason, message: messageOf(request), commandId })
  if (outcome.ok) throw redirect(`/report/${target}?sent=${outcome.value.report}${backOf(request)}`)
  return refusedReply(form, WORDS, outcome)
}

/** The thanks lead back to the room in which the report began. */
const backOf = (request: Request) => (isFromRoom(new URL(request.url).searchParams) ? `&${FROM_ROOM}` : '')

/** A message of the conversation may be named: it goes with the report. */
export function messageOf(request: Request): MessageId | undefined {
  return MessageId.safeParse(new URL(request.url).searchParams.get('message')).data
}
