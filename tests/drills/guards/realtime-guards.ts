import type { Guard } from './guard.ts'

const RIGHTS = { project: 'realtime', file: 'tests/realtime/rights/rights.test.ts' }
const LOOKUPS = { project: 'realtime', file: 'tests/realtime/lookups.test.ts' }
const LOOKS = { project: 'realtime', file: 'tests/realtime/rooms/looks.test.ts' }
const AT_CONNECT = { project: 'realtime', file: 'tests/realtime/rights/at-connect.test.ts' }

/** What keeps a socket from showing what its member may not see, and from losing what they may. */
export const REALTIME_GUARDS: readonly Guard[] = [
  {
    name: 'changes of a pair that rows show already, left out',
    file: 'realtime/rights/rights.ts',
    with: '!known || position <= known.from) return',
    without: '!known) return',
    test: { ...RIGHTS, title: 'rows ahead of the node are not folded over by what they already show' },
  },
  {
    name: 'changes that the node folded after the rows',
    file: 'realtime/rights/rights.ts',
    with: 'of this.history.after(relationships.from)) {',
    without: 'of this.history.after(relationships.from).slice(0, 0)) {',
    test: { ...RIGHTS, title: 'a block during the load counts, whatever the rows show' },
  },
  {
    name: 'states of accounts that changed during the load',
    file: 'realtime/rights/accounts.ts',
    with: 'of this.history.after(at)) if',
    without: 'of this.history.after(at).slice(0, 0)) if',
    test: { ...RIGHTS, title: 'an account that ends during the load counts, also one of a match' },
  },
  {
    name: 'rows from before what a node remembers, refused',
    file: 'realtime/rights/rights.ts',
    with: 'if (this.fits(batch)) return batch',
    without: 'if (batch) return batch',
    test: {
      ...RIGHTS,
      title: 'rows from before what the node remembers are asked for again, once one look for all has seen them come',
    },
  },
  {
    name: 'accounts that nobody could be asked about while the read models were too far behind',
    file: 'realtime/rights/rights.ts',
    with: 'if (batch) this.learn(some, batch)',
    without: 'if (batch) break',
    test: {
      project: 'realtime',
      file: 'tests/realtime/rights/far-behind.test.ts',
      title:
        'who matched meanwhile, and with somebody whose rights are new here, has the room once the models have come',
    },
  },
  {
    name: 'rooms from before what a node remembers, refused',
    file: 'realtime/rights/erased-rooms.ts',
    with: 'if (!rights.remembers(from)) return false',
    without: '',
    test: {
      project: 'realtime',
      file: 'tests/realtime/rooms/behind.test.ts',
      title: 'where the rooms are from before what a node remembers pages load again, as their first page decides',
    },
  },
  {
    name: 'one look for all who come back behind an erasure',
    file: 'realtime/rights/erased-rooms.ts',
    with: 'this.running ??= this.look(unknown)',
    without: 'this.running = this.look(unknown)',
    test: {
      ...LOOKS,
      title: 'a look that takes long is waited for and not begun again, and holds up nobody who needs none',
    },
  },
  {
    name: 'rights that are known before a socket begins',
    file: 'realtime/socket-protocol.ts',
    with: "if (!(await this.inTime(this.node.enter(this.connection, identity.member)))) return 'unknown'",
    without: 'void this.node.enter(this.connection, identity.member).catch(() => undefined)',
    test: { ...AT_CONNECT, title: 'what happens while rights are loaded comes once, in order' },
  },
  {
    name: 'a session that ended between its look-up and its socket',
    file: 'realtime/socket-protocol.ts',
    with: ' || follower.rights.isRevoked(identity.session)) return null',
    without: ') return null',
    test: {
      ...AT_CONNECT,
      title: 'who is signed out while rights are loaded is sent away, and is shown nothing',
      each: 'who is %s while rights are loaded is sent away, and is shown nothing',
    },
  },
  {
    name: 'the account of somebody new, known before they are announced',
    file: 'realtime/rights/rights.ts',
    with: 'return !present?.relationships || this.accounts.isActive(other) !== undefined',
    without: 'return !present?.relationships || this.accounts.isActive(other) !== null',
    test: {
      ...AT_CONNECT,
      title: 'an account that nothing is known of announces nothing until it is known to be active',
    },
  },
  {
    name: 'where a member’s pushes that wait begin',
    file: 'realtime/push-queues.ts',
    with: 'return this.queues.get(member)?.[0]?.parcel.before ?? head',
    without: 'return this.queues.get(member) ? head : head',
    test: { ...LOOKUPS, title: 'a look-up that takes long delays nobody else, and keeps the order of each' },
  },
  {
    name: 'pushes taken back while they wait',
    file: 'realtime/push-queues.ts',
    with: 'this.queues.get(member) ?? []) slot',
    without: 'this.queues.get(member)?.slice(0, 0) ?? []) slot',
    test: {
      ...LOOKUPS,
      title: 'a buzz that is withdrawn while it waits reaches nobody, live or later',
      each: 'a buzz that is %s while it waits reaches nobody, live or later',
    },
  },
]
