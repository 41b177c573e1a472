import { z } from 'zod'
import { NotificationId } from '../../../domain/shared/ids.ts'
import { listNotifications } from '../../../projections/notifications/queries.ts'
import { listBlocks, listLiked, listLikedYou, listMatches } from '../../../projections/relations/queries.ts'
import type { PipelineRefusal } from '../../../usecases/act.ts'
import { readNotification } from '../../../usecases/inbox/read-notification.ts'
import { removeNotification } from '../../../usecases/inbox/remove-notification.ts'
import { done, type Outcome } from '../../../usecases/outcome.ts'
import { INBOX_WORDS } from '../../words/notification-words.ts'
import { worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { type CallInput, defineCall } from '../call.server.ts'
import { ListQuery } from '../fields.ts'
import { Blocks, Cards, Matches, Notifications, Success, success } from '../shapes.ts'

const read = { method: 'GET', caller: 'member', rate: 'READ' } as const
const list = { ...read, query: ListQuery } as const
type Reading = CallInput<'member', undefined, typeof ListQuery, undefined>

const matches = async ({ context, me, query }: Reading) => {
  const { items } = await listMatches(context.read, me, query)
  return done({ matches: items.map((match) => ({ ...match, online: context.presence.isOnline(match.id) })) })
}

const likes =
  (listOf: typeof listLiked) =>
  async ({ context, acting, me, query }: Reading) => {
    const options = { ...query, now: context.now(), eligible: acting.who.entitlements.restricted }
    return done({ users: (await listOf(context.read, me, options)).items })
  }

export const socialMatches = defineCall({
  id: 'C21',
  path: '/social/matches',
  ...list,
  summary: 'The own matches, the latest first',
  answer: Matches,
  handle: matches,
})

export const plainMatches = defineCall({
  id: 'C36',
  path: '/matches',
  ...list,
  summary: 'The same under its other name',
  answer: Matches,
  handle: matches,
})

export const liked = defineCall({
  id: 'C37',
  path: '/social/liked',
  ...list,
  summary: 'Whom the caller likes',
  answer: Cards,
  handle: likes(listLiked),
})

export const likedYou = defineCall({
  id: 'C38',
  path: '/social/likedYou',
  ...list,
  summary: 'Who likes the caller',
  answer: Cards,
  handle: likes(listLikedYou),
})

export const blocks = defineCall({
  id: 'C39',
  path: '/blocks',
  ...list,
  summary: 'Whom the caller blocked',
  answer: Blocks,
  handle: async ({ context, me, query }) => done({ blocks: (await listBlocks(context.read, me, query)).items }),
})

export const notifications = defineCall({
  id: 'C22',
  path: '/notifications',
  ...read,
  summary: 'The own notifications, the newest first',
  answer: Notifications,
  handle: async ({ context, me }) => done(await listNotifications(context.read, me)),
})

const One = z.object({ id: NotificationId })
const touched = (outcome: Outcome<unknown, 'unknown' | PipelineRefusal>) =>
  outcome.ok ? success : worded(INBOX_WORDS, outcome)

export const markNotification = defineCall({
  id: 'C23',
  method: 'PATCH',
  path: '/notifications/:id/read',
  caller: 'member',
  summary: 'Mark one read',
  params: One,
  answer: Success,
  takes: ['WRITE'],
  refusals: refusalsOf(INBOX_WORDS),
  handle: async ({ acting, params, commandId }) =>
    touched(await readNotification(acting, { notification: params.id, commandId })),
})

export const dropNotification = defineCall({
  id: 'C52',
  method: 'DELETE',
  path: '/notifications/:id',
  caller: 'member',
  summary: 'Take one away',
  params: One,
  answer: Success,
  takes: ['WRITE'],
  refusals: refusalsOf(INBOX_WORDS),
  handle: async ({ acting, params, commandId }) =>
    touched(await removeNotification(acting, { notification: params.id, commandId })),
})
