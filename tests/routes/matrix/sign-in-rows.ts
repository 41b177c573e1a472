import { accounts, everyone, type Row } from './api-rows.ts'

/** Sessions, and what guards the sign-in beside the password. */
export const SIGN_IN_ROWS: readonly Row[] = [
  {
    id: 'C01',
    call: 'POST /auth/second-factor',
    send: () => ({ path: '/auth/second-factor', body: { challenge: 'none', code: '000000' } }),
    member: '401 sign-in over',
    callers: everyone('401 sign-in over'),
  },
  {
    id: 'N3',
    call: 'GET /auth/sessions',
    send: () => ({ path: '/auth/sessions' }),
    member: '200 sessions',
    callers: accounts('200 sessions'),
  },
  {
    // An unknown one: the callers are needed for other rows.
    id: 'N3',
    call: 'DELETE /auth/sessions/:id',
    send: () => ({ path: '/auth/sessions/0123456789abcdefghijklmn' }),
    member: '404 not found',
    callers: accounts('404 not found'),
  },
  {
    id: 'N15',
    call: 'GET /account/second-factor',
    send: () => ({ path: '/account/second-factor' }),
    member: '200 factor off',
    callers: accounts('200 factor off'),
  },
  {
    id: 'N15',
    call: 'POST /account/second-factor',
    send: () => ({ path: '/account/second-factor' }),
    member: '200 factor begun',
    callers: accounts('200 factor begun'),
  },
  {
    id: 'N15',
    call: 'POST /account/second-factor/confirm',
    send: () => ({ path: '/account/second-factor/confirm', body: { code: 'none' } }),
    member: '400 factor code',
    callers: accounts('400 factor code'),
  },
  {
    id: 'N15',
    call: 'POST /account/second-factor/recovery-codes',
    send: () => ({ path: '/account/second-factor/recovery-codes', body: { code: '000000' } }),
    member: '409 factor off',
    callers: accounts('409 factor off'),
  },
  {
    id: 'N15',
    call: 'DELETE /account/second-factor',
    send: () => ({ path: '/account/second-factor', body: { code: '000000' } }),
    member: '409 factor off',
    callers: accounts('409 factor off'),
  },
]
