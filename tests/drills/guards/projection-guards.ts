import type { Guard } from './guard.ts'

const TABLES = { project: 'server', file: 'tests/server/erasure/unfollowed-tables.test.ts' } as const
const LEFT = { project: 'projections', file: 'tests/projections/care/left-models.test.ts' } as const
const SET_BACK = { project: 'projections', file: 'tests/projections/care/set-back.test.ts' } as const
const GENERATIONS = { project: 'projections', file: 'tests/projections/engine-generations.test.ts' } as const

/** What keeps releases, generations of tables and erasures apart; the fence of a lease is the checkpoint (`guards.ts`). */
export const PROJECTION_GUARDS: readonly Guard[] = [
  {
    name: 'keys in use that stay in a full cache',
    file: 'eventstore/keys.ts',
    with: '      if (this.inUse.has(subject)) continue\n',
    without: '',
    test: {
      project: 'eventstore',
      file: 'tests/eventstore/keys.test.ts',
      title: 'what a call uses stays in a full cache, also what was there before',
    },
  },
  {
    name: 'tables of newer code, left to it',
    file: 'projections/engine/targets.ts',
    with: '=> version > projection.version',
    without: '=> projection.version + 1_000 < version',
    test: {
      ...GENERATIONS,
      title: 'tables that a rebuild of newer code fills are left to it, and make room once it is gone',
    },
  },
  {
    name: 'an event of a later release that is no poison',
    file: 'projections/engine/batch-processor.ts',
    with: '      if (events.length === 1 && tooNew) throw error\n',
    without: '',
    test: {
      ...GENERATIONS,
      title: 'a projector stops at what a later release wrote, and is not ready; nothing is quarantined',
    },
  },
  {
    name: 'a type of a later release that no read model passes by',
    file: 'projections/engine/fold.ts',
    with: ' || isOfLaterRelease(event)',
    without: '',
    test: {
      project: 'projections',
      file: 'tests/projections/engine/live/later-type.test.ts',
      title: 'every read model of a projector stops at a type of a later release, and it is not ready',
    },
  },
  {
    name: 'tables that were swapped out and move no more',
    file: 'projections/engine/checkpoints.ts',
    with: "t.state in ('live', m.state)",
    without: "t.state in ('live', 'retired', m.state)",
    test: { ...GENERATIONS, title: 'tables that were swapped out move no more, whoever still feeds them' },
  },
  {
    name: 'tables that a rollback fills, moved by nobody else',
    file: 'projections/engine/checkpoints.ts',
    with: "t.state in ('live', m.state)",
    without: "(m.state = 'live' or t.state = m.state)",
    test: {
      ...GENERATIONS,
      title: 'a rollback fills tables that nobody else moves, whoever has not noticed that they were swapped out',
    },
  },
  {
    name: 'tables that a rollback fills, left to it by an erasure',
    file: 'projections/engine/care/unfollowed-tables.ts',
    with: 'isFree ? rows.filter(',
    without: 'rows.length > 0 ? rows.filter(',
    test: {
      ...TABLES,
      title: 'what a rebuild or a rollback fills goes on, and nobody is certified before it is live or left',
    },
  },
  {
    name: 'every generation of tables in the places of an erasure',
    file: 'projections/engine/care/unfollowed-tables.ts',
    with: "filter(({ state }) => state !== 'live')",
    without: "filter(({ state }) => state === 'filling')",
    test: {
      ...TABLES,
      title: 'an erasure leaves nothing in tables that were retired, nor in those that were filled and not swapped in',
    },
  },
  {
    name: 'every column of a member in the places of an erasure',
    file: 'services/erasure.ts',
    with: "  { table: 'met', column: 'item', by: 'member', holds: 'exact', elsewhere: false },\n",
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/erasure/resume.test.ts',
      title: 'every column of schema app that names a member or an address is looked at',
    },
  },
  {
    name: 'rows of an erasure that are left to later, before its certificate',
    file: 'projections/engine/care/unfollowed-tables.ts',
    with: "which === 'all' ? await listOwing(pool) : []",
    without: "which === 'all' ? (await listOwing(pool)).slice(0, 0) : []",
    test: {
      project: 'projections',
      file: 'tests/projections/engine/erased-in-pieces.test.ts',
      title: 'what others write shows while the words of an erased member are taken away',
    },
  },
  {
    name: 'rows of a batch by index, however large the table has grown',
    file: 'projections/engine/transaction.ts',
    with: 'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off; ',
    without: '',
    test: {
      project: 'projections',
      file: 'tests/projections/engine/live/by-index.test.ts',
      title: 'statements planned for a small table whose size is known read no more of it once it has grown',
      each: 'statements planned for a small table %s read no more of it once it has grown',
    },
  },
  {
    name: 'what live has applied, in a new version too',
    file: 'projections/engine/batch-processor.ts',
    with: "if (this.how.poison !== 'quarantined' && !(await this.isMissingInLive(stored))) {",
    without: 'if (this.target.version < 0) {',
    test: {
      project: 'projections',
      file: 'tests/projections/engine/fill/quarantined-before.test.ts',
      title:
        'an event that live applied and a new version cannot take stops that by its name, until its code is mended',
    },
  },
  {
    name: 'cases in quarantine, in the sweep of evidence',
    file: 'server/tools/erasure/cases.ts',
    with: 'found.set(one.id, one)',
    without: 'found.delete(one.id)',
    test: {
      project: 'server',
      file: 'tests/server/erasure/evidence-waits.test.ts',
      title: 'a case whose report waits in quarantine ends after its days, and so does the one that follows its close',
    },
  },
  {
    name: 'read models that are behind, before a certificate',
    file: 'server/services.ts',
    with: 'behind.length > 0 ?',
    without: 'behind.length < 0 ?',
    test: { ...TABLES, title: 'nobody is certified while a read model is before the end of the account' },
  },
  {
    name: 'whoever feeds a read model of another release',
    file: 'projections/engine/care/unknown-tables.ts',
    with: ' || (await listFollowed(db)).has(name)) return',
    without: ') return',
    test: { ...LEFT, title: 'the tables of a process that found its read model paused at its start stay' },
  },
  {
    name: 'an hour from when a process was there, for a read model of another release',
    file: 'projections/engine/care/unknown-tables.ts',
    with: 'greatest(updated_at, seen_at)',
    without: 'updated_at',
    test: {
      ...LEFT,
      title:
        'tables stay for an hour from when a process was there that has them, however long no event has moved them',
    },
  },
  {
    name: 'tables that were noted as set back, moved by nobody',
    file: 'projections/engine/checkpoints.ts',
    with: ' and (c.epoch is null or due.log is null or c.epoch = due.log)',
    without: '',
    test: { ...SET_BACK, title: 'whoever feeds tables that another process notes as set back makes new ones' },
  },
  {
    name: 'tables that others move while they are noted',
    file: 'projections/engine/checkpoints.ts',
    with: '  await lockTarget(db, target)\n',
    without: '',
    test: { ...SET_BACK, title: 'tables that others bring further meanwhile are noted all the same, as they are then' },
  },
]
