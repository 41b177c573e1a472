import { redirect } from '@remix-run/node'
import { NotificationId } from '../../../domain/shared/ids.ts'
import { Position } from '../../../domain/shared/recorded.ts'
import { findNotification } from '../../../projections/notifications/queries.ts'
import { readAllNotifications } from '../../../usecases/inbox/read-all-notifications.ts'
import { readNotification } from '../../../usecases/inbox/read-notification.ts'
import { removeNotification } from '../../../usecases/inbox/remove-notification.ts'
import { block } from '../../../usecases/pair/block.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { answerForm, commandIdOf, memberOf, textOf } from '../../forms/forms.server.ts'
import { matchBackWords } from '../../words/notification-words.ts'
import { PAIR_WORDS } from '../../words/pair-words.ts'
import { PIPELINE_WORDS, type Worded, worded } from '../../words/words.ts'

export type NotificationAnswer = { ok: true; text: string; matched?: boolean } | Worded
const HERE = '/notifications'
const INBOX_WORDS = { ...PIPELINE_WORDS, unknown: { status: 404, error: 'Not found' } } as const
const INVALID: NotificationAnswer = { ok: false, status: 400, error: 'Invalid request.' }

/** Everything the notifications screen can do (spec 2 §2 and §4). */
export async function notificationAction(acting: Acting, form: FormData): Promise<NotificationAnswer> {
  switch (textOf(form, 'intent')) {
    case 'open':
    case 'read':
    case 'remove':
      return one(acting, form)
    case 'read-all': {
      const upTo = Position.safeParse(textOf(form, 'upTo'))
      if (!upTo.success) return INVALID
      const outcome = await readAllNotifications(acting, { upTo: upTo.data, commandId: commandIdOf(form) })
      return outcome.ok ? answerForm(form, { ok: true, text: 'All read.' }, HERE) : worded(INBOX_WORDS, outcome)
    }
    case 'match-back': {
      const to = memberOf(form, 'from')
      if (!to) return INVALID
      const answer = matchBackWords(await buzz(acting, { to, via: 'notification', commandId: commandIdOf(form) }))
      return answer.ok ? answerForm(form, answer, answer.matched ? `/match/${to}` : HERE) : answer
    }
    case 'block': {
      const target = memberOf(form, 'from')
      if (!target) return INVALID
      const outcome = await block(acting, { target, commandId: commandIdOf(form) })
      return outcome.ok ? answerForm(form, { ok: true, text: 'Blocked.' }, HERE) : worded(PAIR_WORDS, outcome)
    }
    default:
      return INVALID
  }
}

/** One row: opened (marked read, and off to where it leads), marked read, or taken away. */
async function one(acting: Acting, form: FormData): Promise<NotificationAnswer> {
  const id = NotificationId.safeParse(textOf(form, 'id'))
  const known = id.success && (await findNotification(acting.read, acting.who.member, id.data))
  if (!id.success || !known) return worded(INBOX_WORDS, { ok: false, reason: 'unknown' })
  const intent = textOf(form, 'intent')
  const change = intent === 'remove' ? removeNotification : readNotification
  const outcome = await change(acting, { notification: id.data, commandId: commandIdOf(form) })
  if (intent === 'open') throw redirect(known.href)
  if (!outcome.ok) return worded(INBOX_WORDS, outcome)
  return answerForm(form, { ok: true, text: intent === 'remove' ? 'Removed.' : 'Marked read.' }, HERE)
}
