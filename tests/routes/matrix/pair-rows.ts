import { blocking, FIRST_ROWS, LAST_ROWS, members, type Row, unblocking } from './api-rows.ts'
import { SIGN_IN_ROWS } from './sign-in-rows.ts'

/** Calls that change something between two members, and those on one notification. */
const pairs: readonly Row[] = [
  {
    id: 'C07',
    call: 'POST /likes',
    send: (to) => ({ path: '/likes', body: { to } }),
    member: {
      default: '200 liked',
      self: '400 invalid',
      matched: '400 already matched',
      hiddenMatched: '400 already matched',
      likedByMe: '400 already buzzed',
      likedMe: '200 matched',
      hiddenLikedMe: '200 matched',
      blockedByMe: '403 buzz',
      blockedMe: '403 buzz',
      hidden: '403 buzz',
      deactivated: '403 buzz',
      deactivatedMatched: '403 buzz',
      suspended: '404 not found',
      suspendedMatched: '404 not found',
      gone: '404 not found',
      goneMatched: '404 not found',
      unknown: '404 not found',
    },
    callers: members,
  },
  {
    id: 'C40',
    call: 'POST /block',
    send: (targetId) => ({ path: '/block', body: { targetId } }),
    member: blocking,
    callers: members,
  },
  {
    id: 'C45',
    call: 'POST /notifications/block/:userId',
    send: (target) => ({ path: `/notifications/block/${target}` }),
    member: blocking,
    callers: members,
  },
  {
    id: 'C41',
    call: 'DELETE /blocks/:id',
    send: (target) => ({ path: `/blocks/${target}` }),
    member: unblocking,
    callers: members,
  },
  {
    id: 'C42',
    call: 'POST /blocks/:id',
    send: (target) => ({ path: `/blocks/${target}` }),
    member: unblocking,
    callers: members,
  },
  {
    id: 'C43',
    call: 'POST /unmatch/:id',
    send: (target) => ({ path: `/unmatch/${target}` }),
    member: {
      default: '409 not matched',
      matched: '200 success',
      hiddenMatched: '200 success',
      // Alike, whether they were a match and blocked the member, or never were one (ruling R5).
      blockedMe: '200 success',
      hidden: '200 success',
      hiddenLikedMe: '200 success',
      deactivated: '200 success',
      deactivatedMatched: '200 success',
      suspendedMatched: '200 success',
      goneMatched: '200 success',
    },
    callers: members,
  },
  {
    id: 'C44',
    call: 'POST /report',
    send: (targetId) => ({ path: '/report', body: { targetId, reason: 'Rude' } }),
    member: {
      default: '200 report',
      self: '400 invalid',
      unknown: '404 not found',
    },
    callers: members,
  },
  {
    id: 'N7',
    call: 'POST /discover/skip',
    send: (to) => ({ path: '/discover/skip', body: { to } }),
    member: {
      default: '200 success',
      self: '400 invalid',
      matched: '400 already matched',
      hiddenMatched: '400 already matched',
      suspended: '404 not found',
      suspendedMatched: '404 not found',
      gone: '404 not found',
      goneMatched: '404 not found',
      unknown: '404 not found',
    },
    callers: members,
  },
  {
    id: 'N7',
    call: 'DELETE /discover/skip/:to',
    send: (target) => ({ path: `/discover/skip/${target}` }),
    member: { default: '404 not found', skipped: '200 success' },
    callers: members,
  },
]

const chat: readonly Row[] = [
  {
    id: 'N4',
    call: 'GET /chat/:userId/messages',
    send: (target) => ({ path: `/chat/${target}/messages?limit=20` }),
    member: {
      default: '404 not found',
      matched: '200 messages',
      hiddenMatched: '200 messages',
      goneMatched: '200 messages',
    },
    callers: members,
  },
  {
    id: 'N5',
    call: 'POST /chat/:userId/messages',
    send: (target) => ({ path: `/chat/${target}/messages`, body: { id: 'matrix-1', text: 'Hello' } }),
    member: { default: '409 not matched', matched: '200 message', hiddenMatched: '200 message' },
    callers: members,
  },
  {
    id: 'N6',
    call: 'POST /chat/:userId/read',
    send: (target, { messageId }) => ({ path: `/chat/${target}/read`, body: { upTo: messageId } }),
    member: { default: '404 not found', matched: '200 success', hiddenMatched: '200 success' },
    callers: members,
  },
]

/** Notifications are distinguished by whose they are; see `matrix-api.test.ts` for one's own. */
const inbox: readonly Row[] = [
  {
    id: 'C23',
    call: 'PATCH /notifications/:id/read',
    send: (target) => ({ path: `/notifications/${target}/read` }),
    member: { default: '404 not found' },
    callers: members,
  },
  {
    id: 'C52',
    call: 'DELETE /notifications/:id',
    send: (target) => ({ path: `/notifications/${target}` }),
    member: { default: '404 not found' },
    callers: members,
  },
]

/** Every call under `/api`: a call without a row fails the inventory. */
export const ROWS: readonly Row[] = [...FIRST_ROWS, ...SIGN_IN_ROWS, ...pairs, ...chat, ...inbox, ...LAST_ROWS]
