import type { Call } from './call.server.ts'
import * as account from './calls/account.server.ts'
import * as auth from './calls/auth.server.ts'
import * as chat from './calls/chat.server.ts'
import * as discover from './calls/discover.server.ts'
import * as exports from './calls/export.server.ts'
import * as lists from './calls/lists.server.ts'
import * as media from './calls/media.server.ts'
import * as pairs from './calls/pairs.server.ts'
import * as secondFactor from './calls/second-factor.server.ts'
import * as sessions from './calls/sessions.server.ts'
import * as users from './calls/users.server.ts'

/** Every call under `/api`. */
export const allCalls: readonly Call[] = [
  auth,
  users,
  discover,
  pairs,
  lists,
  chat,
  media,
  exports,
  account,
  secondFactor,
  sessions,
].flatMap((file) => Object.values<Call>(file))
