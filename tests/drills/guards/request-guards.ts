import type { Guard } from './guard.ts'

const BUZZ_AGAIN = { project: 'usecases', file: 'tests/usecases/pair/buzz-again.test.ts' }

/** What a request may still do, and how much. */
export const REQUEST_GUARDS: readonly Guard[] = [
  {
    name: 'a second look at the session after the body of a call',
    file: 'app/api/call.server.ts',
    with: '    context.lookAgain()\n',
    without: '',
    test: {
      project: 'routes',
      file: 'tests/routes/slow-body.test.ts',
      title: "'a like' does nothing for who was 'signed out' before its last bytes",
      each: '$sent does nothing for who was $ended before its last bytes',
    },
  },
  {
    name: 'a second look at the session after the body of a page',
    file: 'app/request/guards.server.ts',
    with: '  context.lookAgain()\n',
    without: '',
    test: {
      project: 'routes',
      file: 'tests/routes/slow-body.test.ts',
      title: "'a plain form' does nothing for who was 'signed out' before its last bytes",
      each: '$sent does nothing for who was $ended before its last bytes',
    },
  },
  {
    name: 'a late retry of a program',
    file: 'usecases/act.ts',
    with: ' || (acting.retries && !protects)',
    without: '',
    test: {
      project: 'routes',
      file: 'tests/routes/repeated-writes.test.ts',
      title: 'a late retry of a program undoes nothing that its sender did since, and shuts out anew',
    },
  },
  {
    name: 'a late edit of a program',
    file: 'app/api/caller.server.ts',
    with: ', retries: true',
    without: '',
    test: {
      project: 'routes',
      file: 'tests/routes/repeated-writes.test.ts',
      title: 'a late retry of an edit leaves the newer one as it is',
    },
  },
  {
    name: 'a repeat whose effect was undone',
    file: 'usecases/act.ts',
    with: 'if (!outcome.ok || !outcome.value.repeated || (acting.retries && !protects)) return outcome',
    without: 'return outcome',
    test: {
      project: 'usecases',
      file: 'tests/usecases/pair/pair.test.ts',
      title: 'a block sent again after an unblock blocks again, and else is one',
    },
  },
  {
    name: 'the days in which somebody erased can be reported',
    file: 'usecases/safety/reportable.ts',
    with: 'return isRecent ? {',
    without: 'return erasedAt ? {',
    test: {
      project: 'usecases',
      file: 'tests/usecases/safety/report.test.ts',
      title: 'somebody erased can be reported for ninety days, and no longer',
    },
  },
  {
    name: 'whose a removed file was, under each of its ids',
    file: 'services/media/removed.ts',
    with: 'const ids = [id, blurredId, posterId].filter(',
    without: 'const ids = [id].filter(',
    test: {
      project: 'services',
      file: 'tests/services/media.test.ts',
      title:
        'whose a removed file was is known for ninety days under each of its ids, papers and uploads of visitors aside',
    },
  },
  {
    name: 'an upload kept from the sweep before a command refers to it',
    file: 'usecases/media/with-attached.ts',
    with: 'await media.attach({ member: who.member }, [claim])',
    without: 'await media.check({ member: who.member }, [claim])',
    test: {
      project: 'usecases',
      file: 'tests/usecases/media/with-attached.test.ts',
      title: 'a file added to the gallery stays one, also where another command for it is refused',
      each: 'a file %s stays one, also where another command for it is refused',
    },
  },
  {
    name: 'the most that a list answers',
    file: 'app/api/fields.ts',
    with: 'z.number().int().min(1).max(PAGE_MAX)',
    without: 'z.number().int().min(1)',
    test: {
      project: 'app',
      file: 'tests/app/list-query.test.ts',
      title: 'a list is asked for in parts of one to fifty, from a whole number on',
    },
  },
  {
    name: 'a mailbox that a proxy or a tunnel sends nobody to',
    file: 'server/http/raw/mailbox.ts',
    with: ' || client.isForwarded',
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/http/entry/mailbox.test.ts',
      title: '/dev/mailbox is not there for what came through a proxy or a tunnel of this machine, over the port',
      each: '%s is not there for what came through a proxy or a tunnel of this machine, over the port',
    },
  },
  {
    name: 'the wait behind a buzz that was taken back',
    file: 'domain/pair/decider.ts',
    with: "if (wait > 0) return refuse('slow-down', wait)",
    without: '',
    test: {
      ...BUZZ_AGAIN,
      title: 'of twenty that buzz and take back at once, three that are taken back get through a day',
    },
  },
  {
    name: 'a take-back in the order of the pair',
    file: 'domain/pair/decider.ts',
    with: 'noteTakenBack(pair.takenBack, event.from, event.at)',
    without: 'pair.takenBack',
    test: { ...BUZZ_AGAIN, title: 'a take-back that nobody was told of counts' },
  },
  {
    name: 'a block that was lifted, as what takes a buzz back',
    file: 'domain/pair/decider.ts',
    with: 'noteTakenBack(pair.takenBack, event.by, event.at)',
    without: 'pair.takenBack',
    test: { ...BUZZ_AGAIN, title: 'a block that is lifted again is no way around it' },
  },
  {
    name: 'the day behind three that were taken back',
    file: 'domain/pair/buzz-again.ts',
    with: 'since.length < TAKEN_BACK_A_DAY ? 0 : days(1) - Math.max(0, ...since)',
    without: '0',
    test: {
      project: 'domain',
      file: 'tests/domain/buzz-again.test.ts',
      title: 'behind three of a day it waits until the first of them is a day ago',
    },
  },
  {
    name: 'the days between two time zones',
    file: 'domain/profile/decider.ts',
    with: 'wait(profile.timezoneChangedAt, TIMEZONE_COOLDOWN_MS)',
    without: 'wait(null, TIMEZONE_COOLDOWN_MS)',
    test: {
      project: 'domain',
      file: 'tests/domain/profile.test.ts',
      title: 'changes its time zone once in seven days, to the millisecond',
    },
  },
]
