import type { Guard } from './guard.ts'

const CAPS = 'tests/server/http/connection-caps.test.ts'
const SOCKETS = {
  project: 'routes',
  file: 'tests/routes/made-up-tokens.test.ts',
  each: 'a made-up %s over the socket counts with the visitors; a cookie and a ticket sign in',
} as const

const ELSEWHERE = {
  project: 'routes',
  file: 'tests/routes/refusals/used-elsewhere.test.ts',
  title: 'what a cross-site page has in itself takes nothing of the visitors',
  each: 'what a %s page has in itself takes nothing of the visitors',
} as const

/** What one network may hold and ask for (decision 0019). */
export const NETWORK_GUARDS: readonly Guard[] = [
  {
    name: 'the connections that strangers may have, whoever holds the rest',
    file: 'server/http/crowd.ts',
    with: 'this.strangers.size < this.cap * STRANGERS',
    without: 'this.strangers.size === 0',
    test: {
      project: 'server',
      file: CAPS,
      title: 'where members have all connections, a newcomer is not pushed out by the next before it has asked',
    },
  },
  {
    name: 'the time that the newest connections have to ask',
    file: 'server/http/crowd.ts',
    with: 'longestIdle(this.strangers, SPARED)',
    without: 'longestIdle(this.strangers, 0)',
    test: {
      project: 'server',
      file: CAPS,
      title: 'whoever holds all connections with bodies that never end, and floods beside, keeps nobody out',
    },
  },
  {
    name: 'one holder for all proofs of an address',
    file: 'usecases/register/proof.ts',
    with: "({ emailKey }: Pick<SignupProof, 'emailKey'>): string => emailKey",
    without: '({ id }: SignupProof): string => id',
    test: {
      project: 'server',
      file: CAPS,
      title: 'the proofs of one address are one holder, however many there are',
    },
  },
  {
    name: 'made-up cookies of sockets',
    file: 'server/authenticate.ts',
    with: "(await over('ANONYMOUS', network)) ?? over('SOCKET', strangersOf(network))",
    without: "over('SOCKET', strangersOf(network))",
    test: {
      ...SOCKETS,
      title: 'a made-up cookie over the socket counts with the visitors; a cookie and a ticket sign in',
    },
  },
  {
    name: 'the sockets of members, apart from those of strangers',
    file: 'server/authenticate.ts',
    with: "(await over('ANONYMOUS', network)) ?? over('SOCKET', strangersOf(network))",
    without: "(await over('ANONYMOUS', network)) ?? over('SOCKET', network)",
    test: {
      project: 'routes',
      file: 'tests/routes/made-up-tokens.test.ts',
      title: 'made-up cookies that ask for nothing take no socket of a member, and count with the visitors',
    },
  },
  {
    name: 'files that pages of other sites have in themselves',
    file: 'server/http/entry/refusal.ts',
    with: "if (pathname.startsWith('/media/') && isUsedElsewhere(fetched)) return failure(403, pathname, client)",
    without: '',
    test: ELSEWHERE,
  },
  {
    name: 'pages that those of other sites have in themselves, apart from visitors',
    file: 'app/request/address-limit.server.ts',
    with: 'isUsedElsewhere(fetchedBy(request)) ? fromElsewhere(network) : network',
    without: 'isUsedElsewhere(fetchedBy(request)) ? network : network',
    test: ELSEWHERE,
  },
  {
    name: 'frames of other sites, which are no links',
    file: 'app/request/used-elsewhere.ts',
    with: ' && isPage',
    without: '',
    test: ELSEWHERE,
  },
  {
    name: 'pages that other sites have fetched ahead of a link',
    file: 'app/request/used-elsewhere.ts',
    with: " && !purpose?.startsWith('prefetch')",
    without: '',
    test: ELSEWHERE,
  },
  {
    name: 'turns that lapse by the time in which the thread is free',
    file: 'server/http/turns/network-turns.ts',
    with: 'idle + active * BUSY_SHARE',
    without: 'idle + active',
    test: {
      project: 'server',
      file: 'tests/server/http/network-turns.test.ts',
      title: 'the thread is busy while it works, and a turn lapses in the time in which it waits',
    },
  },
  {
    name: 'made-up bearer tokens of sockets',
    file: 'server/authenticate.ts',
    with: "if (!isTicket && !(await limits.peek('ANONYMOUS', network)).ok) return 'throttled'",
    without: '',
    test: {
      ...SOCKETS,
      title: 'a made-up bearer token over the socket counts with the visitors; a cookie and a ticket sign in',
    },
  },
]
