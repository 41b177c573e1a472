import type { Guard } from './guard.ts'

const EACH =
  'a start %s notes the tables of another release that the log was set back behind, and nobody in them is certified'
const READS_ONCE = 'a page of before a set-back reads itself again once, when the read models are filled'
const MODELS = {
  project: 'server',
  file: 'tests/server/erasure/set-back/models.test.ts',
  title: EACH.replace('%s', 'without one'),
  each: EACH,
} as const
const STARTING = 'a node %s starts for as long as a read model shows what the log was before it was set back'
const FINISHED = { project: 'server', file: 'tests/server/erasure/set-back/finished.test.ts' } as const
const CARE = { project: 'projections', file: 'tests/projections/care/set-back.test.ts' } as const

/** What holds of a log that a restore of its disk set back behind tables, reactors and sockets. */
export const SET_BACK_GUARDS: readonly Guard[] = [
  {
    name: 'a set-back noted for tables that nobody feeds',
    file: 'projections/engine/set-back.ts',
    with: 'for (const target of await setBackBehind(pool, log, there, end)) await',
    without: 'for (const target of [] as Target[]) await',
    test: MODELS,
  },
  {
    name: 'reactors of others placed before a start writes to the log',
    file: 'server/product.ts',
    with: ': placeReactors(core.storage.pool, core.log, REACTORS))',
    without: ': undefined)',
    test: { ...FINISHED, title: 'the reactors of another process see an erasure that one without them makes again' },
  },
  {
    name: 'reactors placed in another log before a start writes to it',
    file: 'server/product.ts',
    with: 'await (reactors ? reactors.place() : placeReactors(',
    without: 'await (reactors ? undefined : placeReactors(',
    test: {
      ...FINISHED,
      title: 'an erasure that a start makes again in another log is finished by the reactors of that process',
    },
  },
  {
    name: 'an erasure that is made again and is not settled',
    file: 'server/tools/erasure/reapply.ts',
    with: '    await services.erasure.unsettle(member)\n',
    without: '',
    test: {
      ...FINISHED,
      title: 'a later start finishes an erasure that was made again, whatever reactors have seen of it',
    },
  },
  {
    name: 'live tables beyond the end of the log that show nothing of it',
    file: 'projections/engine/care/behind.ts',
    with: ' || gone.includes(target)',
    without: '',
    test: {
      project: 'projections',
      file: 'tests/projections/care/set-back-behind.test.ts',
      title:
        'live tables that are beyond the end of the log, or know another event of it, do not show it, noted or not',
    },
  },
  {
    name: 'tables that were made meanwhile in place of those that are noted',
    file: 'projections/engine/checkpoints.ts',
    with: 'and c.epoch = $5`',
    without: 'and $5::text is not null`',
    test: {
      project: 'projections',
      file: 'tests/projections/care/set-back-behind.test.ts',
      title: 'tables that are made meanwhile in place of others are not noted for them',
    },
  },
  {
    name: 'where tables that others bring further are noted',
    file: 'projections/engine/checkpoints.ts',
    with: 'return { ...((await findTarget(db, target)) ?? target), logId }',
    without: 'return { ...target, logId }',
    test: { ...CARE, title: 'tables that others bring further meanwhile are noted all the same, as they are then' },
  },
  {
    name: 'rooms in tables of a log that was set back',
    file: 'projections/view/relationships.ts',
    with: "shownUpTo('conversations') ? listRoomsAfter(read, others, after) : []",
    without: 'shownUpTo === undefined ? [] : listRoomsAfter(read, others, after)',
    test: {
      project: 'realtime',
      file: 'tests/realtime/set-back/rights.test.ts',
      title:
        'whoever is matched in rows alone that are ahead of the log is no match for sockets, and rows show nothing of it',
    },
  },
  {
    name: 'members whose accounts are in tables of a log that was set back',
    file: 'projections/view/relationships.ts',
    with: 'match.out || !accountsAt',
    without: 'match.out',
    test: {
      project: 'realtime',
      file: 'tests/realtime/set-back/rights.test.ts',
      title: 'while only the accounts are of before a set-back, nobody whom their rows show as there counts as there',
    },
  },
  {
    name: 'pages and calls while read models show what a log was before it was set back',
    file: 'server/web.ts',
    with: '    createStartingHandler(product.showsLog),\n',
    without: '',
    test: {
      project: 'realtime',
      file: 'tests/realtime/set-back/starting.test.ts',
      title: STARTING.replace('%s', 'with a projector'),
      each: STARTING,
    },
  },
  {
    name: 'sockets while read models show what a log was before it was set back',
    file: 'server/web.ts',
    with: 'if (!isThere()) return refuseUpgrade',
    without: 'if (false) return refuseUpgrade',
    test: {
      project: 'realtime',
      file: 'tests/realtime/set-back/starting.test.ts',
      title: READS_ONCE,
      each: READS_ONCE,
    },
  },
  {
    name: 'the end of a process that was up while another noted a set-back',
    file: 'server/waiting/shown-log.ts',
    with: 'if (before && !isShown) return failed',
    without: 'if (false) return failed',
    test: {
      project: 'server',
      file: 'tests/server/waiting/shown-log.test.ts',
      title: 'a log that is set back while it is shown ends the process, and a database that does not answer does not',
    },
  },
]
