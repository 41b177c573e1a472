import { z } from 'zod'
import { type MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { tidy } from '../../../domain/shared/text.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { markRead } from '../../../usecases/chat/mark-read.ts'
import { type SendOutcome, sendMessage } from '../../../usecases/chat/send-message.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { doneReply, readForm, refusedReply } from '../../forms/form.server.ts'
import type { FormReply } from '../../forms/reply.ts'
import { CHAT_WORDS } from '../../words/pair-words.ts'

const MessageForm = z.object({ id: MessageId, text: z.string().default('') })
const ReadForm = z.object({ id: MessageId })

/** A form, and the address after it. */
type Sent = { form: FormData; then: string }

/** What a room's page can do by form: send, and mark read. */
export function chatAction(acting: Acting, other: MemberId, sent: Sent): Promise<FormReply> {
  return sent.form.get('intent') === 'read' ? markReadUpTo(acting, other, sent) : send(acting, other, sent)
}

async function send(acting: Acting, to: MemberId, { form, then }: Sent): Promise<FormReply> {
  const sent = readForm(form, MessageForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await sendOnce(acting, to, sent.value)
  return outcome.ok ? doneReply(form, null, then) : refusedReply(form, CHAT_WORDS, outcome)
}

/** Sent by a person who looks at it (decision 0018): other words under an id that had its own are a message of their own. */
async function sendOnce(acting: Acting, to: MemberId, message: z.output<typeof MessageForm>): Promise<SendOutcome> {
  const outcome = await sendMessage(acting, { to, ...message })
  const words = tidy(message.text)
  if (!outcome.ok || outcome.value.message.text === words) return outcome
  return sendMessage(acting, { to, text: words, id: MessageId.parse(uuidFrom('edited', message.id, words)) })
}

async function markReadUpTo(acting: Acting, other: MemberId, { form, then }: Sent): Promise<FormReply> {
  const sent = readForm(form, ReadForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await markRead(acting, { other, upTo: sent.value.id })
  return outcome.ok ? doneReply(form, null, then) : refusedReply(form, CHAT_WORDS, outcome)
}
