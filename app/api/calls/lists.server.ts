import { z } from 'zod'
import { NotificationId } from '../../../domain/shared/ids.ts'
import { listNotifications } from '../../../projections/notifications/queries.ts'
import { readWhole } from '../../../projections/paging.ts'
import { listBlocks, listLiked, listLikedYou, listMatches } from '../../../projections/relations/queries.ts'
import type { PipelineRefusal } from '../../../usecases/act.ts'
import { readNotification } from '../../../usecases/inbox/read-notification.ts'
import { removeNotification } from '../../../usecases/inbox/remove-notification.ts'
import { done, type Outcome } from '../../../usecases/outcome.ts'
import { INBOX_WORDS } from '../../words/notification-words.ts'
import { worded } from '../../words/words.ts'
import { type CallInput, defineCall } from '../call.server.ts'
import { Blocks, Cards, Matches, Notifications, Success, success } from '../shapes.ts'

const read = { method: 'GET', caller: 'member', rate: 'READ' } as const
type Reading = CallInput<'member', undefined, undefined, undefined>

const matches = async ({ context, me }: Reading) => {
  const found = await readWhole((asked) => listMatches(context.read, me, asked))
  return done({ matches: found.map((match) => ({ ...match, online: context.presence.isOnline(match.id) })) })
}

const likes =
  (list: typeof listLiked) =>
  async ({ context, me }: Reading) =>
    done({ users: await readWhole((asked) => list(context.read, me, { ...asked, now: context.now() })) })

export const socialMatches = defineCall({
  id: 'C21',
  path: '/social/matches',
  ...read,
  summary: 'The own matches, the latest first',
  answer: Matches,
  handle: matches,
})

export const plainMatches = defineCall({
  id: 'C36',
  path: '/matches',
  ...read,
  summary: 'The same under its other name',
  answer: Matches,
  handle: matches,
})

export const liked = defineCall({
  id: 'C37',
  path: '/social/liked',
  ...read,
  summary: 'Whom the caller likes',
  answer: Cards,
  handle: likes(listLiked),
})

export const likedYou = defineCall({
  id: 'C38',
  path: '/social/likedYou',
  ...read,
  summary: 'Who likes the caller',
  answer: Cards,
  handle: likes(listLikedYou),
})

export const blocks = defineCall({
  id: 'C39',
  path: '/blocks',
  ...read,
  summary: 'Whom the caller blocked',
  answer: Blocks,
  handle: async ({ context, me }) => done({ blocks: await readWhole((asked) => listBlocks(context.read, me, asked)) }),
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
  refusals: [404, 409, 429],
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
  refusals: [404, 409, 429],
  handle: async ({ acting, params, commandId }) =>
    touched(await removeNotification(acting, { notification: params.id, commandId })),
})
