import type { Guard } from './guard.ts'

const LEASES = { project: 'reactors', file: 'tests/reactors/leases.test.ts' } as const
const SILENT = { project: 'reactors', file: 'tests/reactors/silent-mail.test.ts' } as const

/** What happens later, once; and what is silent takes nobody's place. */
export const JOB_GUARDS: readonly Guard[] = [
  {
    name: 'an effect that another process has taken, where it fails late',
    file: 'reactors/effects.ts',
    with: " and state = 'owed' and tries = $5",
    without: " and state = 'owed' and $5::int is not null",
    test: {
      ...LEASES,
      title: 'a process that fails late puts off and gives up nothing that another has taken since',
    },
  },
  {
    name: 'the lease of an effect that waited behind others',
    file: 'reactors/run.ts',
    with: '|| (await renewEffect(deps.pool, effect))',
    without: '|| true',
    test: {
      ...LEASES,
      title: 'what waited behind an effect that took long is done by the process that has taken it since, alone',
    },
  },
  {
    name: 'reactors behind a log that was set back',
    file: 'server/jobs.ts',
    with: 'showsLog() ? reactors.perform(reactor, signal) : SHOWN_SOON_MS',
    without: 'showsLog() || true ? reactors.perform(reactor, signal) : SHOWN_SOON_MS',
    test: {
      project: 'server',
      file: 'tests/server/waiting/reactors-wait.test.ts',
      title: 'what reactors owe waits while rows are of a log that was set back, and is done once they are of this one',
    },
  },
  {
    name: 'places beside mails',
    file: 'server/jobs.ts',
    with: "mails(reactor) ? 'mail' : null",
    without: 'mails(reactor) ? null : null',
    test: {
      project: 'services',
      file: 'tests/services/jobs/beside.test.ts',
      title: 'while the mail server says nothing, other jobs have places, however many mails wait',
    },
  },
  {
    name: 'a stop beside a silent mail server',
    file: 'reactors/run.ts',
    with: 'await leftAt(round.stopping, perform(deps, reactor, effect))',
    without: 'await perform(deps, reactor, effect)',
    test: {
      ...SILENT,
      title: 'a stop waits for no mail server that says nothing, and gives back what it has not begun',
    },
  },
  {
    name: 'the end of a turn of a stream',
    file: 'eventstore/dispatch.ts',
    with: 'return withTimeout(dispatcher.settle(decider, command, context, until), until - performance.now())',
    without: 'return dispatcher.settle(decider, command, context, until)',
    test: {
      project: 'eventstore',
      file: 'tests/eventstore/dispatch-in-time.test.ts',
      title: 'a turn ends with the time of its sender, whatever it waits for, and the next command has its own',
    },
  },
  {
    name: 'look-ups of keys over connections that answer',
    file: 'services/quiet-pool.ts',
    with: '    query: short.query.bind(short),\n',
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/silent-database.test.ts',
      title: 'behind a network that fell silent keys are asked for over connections that answer',
    },
  },
  {
    name: 'the end at the server of a look-up that waits',
    file: 'services/quiet-pool.ts',
    with: 'const pool = open({ ...config, onConnect }, silentMs)\n  watchSilent(pool, silentMs, cut)',
    without: 'const pool = open(config, silentMs)\n  void onConnect\n  watchSilent(pool, silentMs, cut)',
    test: {
      project: 'services',
      file: 'tests/services/quiet-pool.test.ts',
      title:
        'while a table is locked no more wait for it at the server than the pool has, and another table is looked at',
    },
  },
  {
    name: 'the end of a new connection that nobody answers',
    file: 'services/quiet-pool.ts',
    with: 'answeredInTime(config.Client as typeof pg.Client | undefined, Math.min(silentMs, CONNECT_MS))',
    without: '(void [answeredInTime, CONNECT_MS, silentMs], config.Client) ?? pg.Client',
    test: {
      project: 'services',
      file: 'tests/services/quiet-pool.test.ts',
      title: 'new connections that nobody answers give their places to others',
    },
  },
  {
    name: 'a stream that is read once, and kept where its sender has left',
    file: 'eventstore/stream-loader.ts',
    with: 'if (!begun) return this.loadShared(decider, stream)',
    without: 'if (!begun || begun) return this.readCold(decider, stream)',
    test: {
      project: 'eventstore',
      file: 'tests/eventstore/dispatch-in-time.test.ts',
      title: 'a stream that takes longer to read than its sender waits is read once, and there for the next command',
    },
  },
  {
    name: 'the end of a filling over a silent network',
    file: 'services/quiet-pool.ts',
    with: '  watchSilent(pool, askedAfterMs, silence.onSilent)\n',
    without: '  void askedAfterMs\n',
    test: {
      project: 'services',
      file: 'tests/services/quiet-pool.test.ts',
      title: 'a filling over a network that fell silent fails, and its server keeps no lock',
    },
  },
  {
    name: 'an answer in time to who takes part in leases',
    file: 'projections/engine/leases.ts',
    with: '  query_timeout: ANSWER_MS,\n',
    without: '',
    test: {
      project: 'projections',
      file: 'tests/projections/engine/fill/silent-network.test.ts',
      title: 'a filling whose network falls silent goes on over connections that answer',
    },
  },
  {
    name: 'the turn of mails that wait for their first try',
    file: 'reactors/effects.ts',
    with: 'order by due_at, position limit',
    without: 'order by position limit',
    test: {
      ...SILENT,
      title: 'a mail that fails again is behind those that wait for their first try',
    },
  },
  {
    name: 'a connection for whether Postgres answers',
    file: 'server/stores-answer.ts',
    with: 'storage.look.query(LOOK)',
    without: 'storage.pool.query(LOOK)',
    test: {
      project: 'server',
      file: 'tests/server/http/stores-answer.test.ts',
      title: 'a table that is locked does not make Postgres away, however many look-ups wait for it',
    },
  },
  {
    name: 'the life of the log that an answer is of',
    file: 'services/idempotency.ts',
    with: "            where('idempotent_answer.epoch', '<>', row.epoch),\n",
    without: '',
    test: {
      project: 'services',
      file: 'tests/services/idempotency.test.ts',
      title: 'an answer of before the log was set back is none, and the key is its sender’s again',
    },
  },
]
