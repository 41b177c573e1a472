import type { Person } from '../../support/world-people.ts'
import type { BodyName } from './bodies.ts'
import type { CallerKind, Cast, Relation } from './relations.ts'

/** What one cell sends. */
export type Sent = { path: string; body?: object | FormData }
type ByRelation = { readonly default: BodyName } & Partial<Record<Relation, BodyName>>

/** One call with the answer for each kind of caller, and for each relation where it names a target. */
export type Row = {
  readonly id: string
  readonly call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`
  readonly send: (target: string, cast: Cast, me: Person) => Sent
  /** The answer of a call without a target to an active member, or to each target. */
  readonly member: BodyName | ByRelation
  readonly callers: Readonly<Record<CallerKind, BodyName>>
  /** Whom a list names, in no order: exactly these. */
  readonly lists?: readonly Relation[]
}

const everyone = (body: BodyName): Row['callers'] => ({
  anonymous: body,
  badToken: body,
  expiredToken: body,
  revokedToken: body,
  deactivatedCaller: body,
  suspendedCaller: body,
})
const outsiders = everyone('401 login')
const members: Row['callers'] = {
  ...outsiders,
  deactivatedCaller: '403 deactivated',
  suspendedCaller: '403 suspended',
}
const uploaders: Row['callers'] = {
  ...everyone('401 login upload'),
  deactivatedCaller: '403 deactivated upload',
  suspendedCaller: '403 suspended upload',
}
const accounts = (body: BodyName): Row['callers'] => ({ ...members, deactivatedCaller: body })

const mail = (target: string) => `${target}@example.com`
const picture = () => {
  const form = new FormData()
  form.set('file', new Blob(['not a picture']), 'picture.jpg')
  return form
}

const blocking: ByRelation = {
  default: '200 success',
  self: '400 invalid',
  suspended: '404 not found',
  suspendedMatched: '404 not found',
  gone: '404 not found',
  goneMatched: '404 not found',
  unknown: '404 not found',
}
const unblocking: ByRelation = { default: '404 not found', blockedByMe: '200 success' }

const visitors: readonly Row[] = [
  {
    id: 'C01',
    call: 'POST /auth/login',
    send: (target) => ({ path: '/auth/login', body: { email: mail(target), password: 'wrong-word-here' } }),
    member: '401 credentials',
    callers: everyone('401 credentials'),
  },
  {
    id: 'C02',
    call: 'POST /auth/forgot-password',
    send: (target) => ({ path: '/auth/forgot-password', body: { email: mail(target) } }),
    member: '200 reset mail',
    callers: everyone('200 reset mail'),
  },
  {
    id: 'C03',
    call: 'POST /auth/reset-password',
    send: (target) => ({
      path: '/auth/reset-password',
      body: { email: mail(target), code: '000000', newPassword: 'otter-violet-43-lamp' },
    }),
    member: '400 code',
    callers: everyone('400 code'),
  },
  {
    id: 'C04',
    call: 'POST /auth/google',
    send: () => ({ path: '/auth/google', body: { token: 'none' } }),
    member: '401 google',
    callers: everyone('401 google'),
  },
  {
    id: 'C05',
    call: 'POST /auth/register-full',
    send: () => ({ path: '/auth/register-full', body: { signupToken: 'none', firstName: 'Eve' } }),
    member: '401 code',
    callers: everyone('401 code'),
  },
  {
    id: 'C76',
    call: 'POST /auth/send-code',
    send: (target) => ({ path: '/auth/send-code', body: { email: mail(target) } }),
    member: '200 code mail',
    callers: everyone('200 code mail'),
  },
  {
    id: 'N1',
    call: 'POST /auth/verify-code',
    send: () => ({ path: '/auth/verify-code', body: { email: 'nobody@example.com', code: '000000' } }),
    member: '400 code failed',
    callers: everyone('400 code failed'),
  },
]

const own: readonly Row[] = [
  {
    id: 'C25',
    call: 'GET /auth/me',
    send: () => ({ path: '/auth/me' }),
    member: '200 own user',
    callers: accounts('200 own user'),
  },
  {
    id: 'C26',
    call: 'GET /users/me',
    send: () => ({ path: '/users/me' }),
    member: '200 self',
    callers: accounts('200 self'),
  },
  {
    id: 'C08',
    call: 'PUT /users/me',
    send: () => ({ path: '/users/me', body: { bio: 'Likes maps.' } }),
    member: '200 own user',
    callers: members,
  },
  {
    id: 'Ticket',
    call: 'POST /auth/ticket',
    send: () => ({ path: '/auth/ticket' }),
    member: '200 ticket',
    callers: members,
  },
  {
    id: 'Location',
    call: 'POST /location',
    send: () => ({ path: '/location', body: { lat: 48.2, lng: 16.4 } }),
    member: '200 accepted',
    callers: members,
  },
  {
    id: 'C71',
    call: 'POST /upload-media',
    send: (target) => ({ path: '/upload-media', body: { fileUrl: `/media/${target}` } }),
    member: '400 media',
    callers: uploaders,
  },
  {
    id: 'C71',
    call: 'POST /upload-media-file',
    send: () => ({ path: '/upload-media-file', body: picture() }),
    member: '415 upload',
    callers: uploaders,
  },
  {
    // With a wrong password: the callers are needed for other rows.
    id: 'C34',
    call: 'DELETE /account/delete',
    send: () => ({ path: '/account/delete', body: { password: 'somebody-elses-77' } }),
    member: '403 reauth',
    callers: accounts('403 reauth'),
  },
  {
    id: 'N9',
    call: 'POST /account/export',
    send: () => ({ path: '/account/export', body: {} }),
    member: '200 export',
    callers: members,
  },
  {
    id: 'N9',
    call: 'GET /account/export/:id',
    send: () => ({ path: '/account/export/0123456789abcdefghijklmn' }),
    member: '404 not found',
    callers: members,
  },
]

const lists: readonly Row[] = [
  {
    id: 'C06',
    call: 'GET /discover',
    send: () => ({ path: '/discover' }),
    member: '200 deck',
    callers: members,
    lists: ['likedMe', 'stranger', 'strangerLimited', 'strangerFull'],
  },
  {
    id: 'C21',
    call: 'GET /social/matches',
    send: () => ({ path: '/social/matches' }),
    member: '200 matches',
    callers: members,
    lists: ['matched', 'hiddenMatched'],
  },
  {
    id: 'C36',
    call: 'GET /matches',
    send: () => ({ path: '/matches' }),
    member: '200 matches',
    callers: members,
    lists: ['matched', 'hiddenMatched'],
  },
  {
    id: 'C37',
    call: 'GET /social/liked',
    send: () => ({ path: '/social/liked' }),
    member: '200 cards',
    callers: members,
    lists: ['likedByMe'],
  },
  {
    id: 'C38',
    call: 'GET /social/likedYou',
    send: () => ({ path: '/social/likedYou' }),
    member: '200 cards',
    callers: members,
    lists: ['likedMe'],
  },
  {
    id: 'C39',
    call: 'GET /blocks',
    send: () => ({ path: '/blocks' }),
    member: '200 blocks',
    callers: members,
    lists: ['blockedByMe'],
  },
  {
    id: 'C22',
    call: 'GET /notifications',
    send: () => ({ path: '/notifications' }),
    member: '200 notifications',
    callers: members,
    lists: ['matched', 'hiddenMatched', 'likedMe', 'hiddenLikedMe'],
  },
  {
    id: 'N6',
    call: 'GET /chat/unread',
    send: () => ({ path: '/chat/unread' }),
    member: '200 unread',
    callers: members,
    lists: ['matched', 'hiddenMatched'],
  },
]

const encounters: readonly Row[] = [
  {
    id: 'C27',
    call: 'GET /users/:id',
    send: (target) => ({ path: `/users/${target}` }),
    member: {
      default: '200 encounter locked',
      self: '200 encounter self',
      matched: '200 encounter matched',
      hiddenMatched: '200 encounter matched',
      strangerLimited: '200 encounter limited',
      strangerFull: '200 encounter full',
      blockedByMe: '200 encounter blocked',
      blockedMe: '403 profile',
      hidden: '403 profile',
      hiddenLikedMe: '403 profile',
      deactivated: '403 profile',
      deactivatedMatched: '403 profile',
      suspended: '404 profile',
      suspendedMatched: '404 profile',
      gone: '404 profile',
      goneMatched: '404 profile',
      unknown: '404 profile',
    },
    callers: members,
  },
]

/** It ends the sessions of the callers it is asked by. */
export const LAST_ROWS: readonly Row[] = [
  {
    id: 'N2',
    call: 'POST /auth/logout',
    send: () => ({ path: '/auth/logout' }),
    member: '200 success',
    callers: everyone('200 success'),
  },
]

export const FIRST_ROWS: readonly Row[] = [...visitors, ...own, ...lists, ...encounters]
export { accounts, blocking, everyone, members, unblocking }
