import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { MemberId, NotificationId } from '../../../domain/shared/ids.ts'
import { Position } from '../../../domain/shared/recorded.ts'
import { findNotification } from '../../../projections/notifications/queries.ts'
import { readAllNotifications } from '../../../usecases/inbox/read-all-notifications.ts'
import { readNotification } from '../../../usecases/inbox/read-notification.ts'
import { removeNotification } from '../../../usecases/inbox/remove-notification.ts'
import { buzz } from '../../../usecases/pair/buzz.ts'
import type { Acting } from '../../../usecases/ports.ts'
import { doneReply, readForm, refusedReply } from '../../forms/form.server.ts'
import { actByIntent } from '../../forms/intents.server.ts'
import { CommandId } from '../../forms/schemas.server.ts'
import { INBOX_WORDS, MATCH_BACK_WORDS, matchBackDone } from '../../words/notification-words.ts'
import type { NotificationReply } from './reply.ts'

const HERE = '/notifications'
/** One row. An id that none can have is unknown like any other. */
const RowForm = z.object({ id: NotificationId.nullable().catch(null), commandId: CommandId })
const SenderForm = z.object({ from: MemberId, commandId: CommandId })
const ReadAllForm = z.object({ upTo: Position, commandId: CommandId })
const UNKNOWN = { ok: false, reason: 'unknown' } as const

/** Everything the notifications screen can do (spec 2 §2 and §4). */
export function notificationAction(acting: Acting, form: FormData): Promise<NotificationReply> {
  return actByIntent(acting, form, {
    open,
    read,
    remove,
    'read-all': readAll,
    'match-back': matchBack,
  })
}

/** Marks the row read and leads to where it leads. */
async function open(acting: Acting, form: FormData): Promise<NotificationReply> {
  const sent = readForm(form, RowForm, {})
  if (!sent.ok) return sent.reply
  const { id: notification, commandId } = sent.value
  const known = notification && (await findNotification(acting.read, acting.who.member, notification))
  if (!notification || !known) return refusedReply(form, INBOX_WORDS, UNKNOWN)
  await readNotification(acting, { notification, commandId })
  throw redirect(known.href)
}

async function read(acting: Acting, form: FormData): Promise<NotificationReply> {
  const sent = readForm(form, RowForm, {})
  if (!sent.ok) return sent.reply
  const { id: notification, commandId } = sent.value
  const outcome = notification ? await readNotification(acting, { notification, commandId }) : UNKNOWN
  return outcome.ok ? doneReply(form, { text: 'Marked read.' }, HERE) : refusedReply(form, INBOX_WORDS, outcome)
}

async function remove(acting: Acting, form: FormData): Promise<NotificationReply> {
  const sent = readForm(form, RowForm, {})
  if (!sent.ok) return sent.reply
  const { id: notification, commandId } = sent.value
  const outcome = notification ? await removeNotification(acting, { notification, commandId }) : UNKNOWN
  return outcome.ok ? doneReply(form, { text: 'Removed.' }, HERE) : refusedReply(form, INBOX_WORDS, outcome)
}

/** Everything up to what the list was read at. */
async function readAll(acting: Acting, form: FormData): Promise<NotificationReply> {
  const sent = readForm(form, ReadAllForm, {})
  if (!sent.ok) return sent.reply
  const outcome = await readAllNotifications(acting, sent.value)
  return outcome.ok ? doneReply(form, { text: 'All read.' }, HERE) : refusedReply(form, INBOX_WORDS, outcome)
}

/** Buzzes back who waits for it (spec 2 §8). */
async function matchBack(acting: Acting, form: FormData): Promise<NotificationReply> {
  const sent = readForm(form, SenderForm, {})
  if (!sent.ok) return sent.reply
  const { from: to, commandId } = sent.value
  const outcome = await buzz(acting, { to, via: 'notification', commandId })
  if (!outcome.ok) return refusedReply(form, MATCH_BACK_WORDS, outcome)
  return doneReply(form, matchBackDone(outcome.value), outcome.value.matched ? `/match/${to}` : HERE)
}
