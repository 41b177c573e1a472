import { type MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { markRead } from '../../../usecases/chat/mark-read.ts'
import { sendMessage } from '../../../usecases/chat/send-message.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { answerForm, textOf } from '../../forms/forms.server.ts'
import { TALK_WORDS } from '../../words/pair-words.ts'
import { type Worded, worded } from '../../words/words.ts'

/** `text` comes back with a refusal, so that nothing typed is lost. */
export type ChatAnswer = { ok: true } | (Worded & { text?: string })

/** What a room's page can do by form: send, and mark read. */
export async function chatAction(acting: Acting, other: MemberId, form: FormData): Promise<ChatAnswer> {
  const here = `/chat/${other}`
  const id = MessageId.safeParse(textOf(form, 'id'))
  if (!id.success) return { ok: false, status: 400, error: 'Invalid request.' }
  if (textOf(form, 'intent') === 'read') {
    const outcome = await markRead(acting, { other, upTo: id.data })
    return outcome.ok ? answerForm<ChatAnswer>(form, { ok: true }, here) : worded(TALK_WORDS, outcome)
  }
  const text = textOf(form, 'text')
  const outcome = await sendMessage(acting, { to: other, id: id.data, text })
  return outcome.ok ? answerForm<ChatAnswer>(form, { ok: true }, here) : { ...worded(TALK_WORDS, outcome), text }
}
