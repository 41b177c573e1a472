import type { Guard } from './guard.ts'

const GIVE_CODE = { project: 'usecases', file: 'tests/usecases/second-factor/give-code.test.ts' }
const TAKEN = { project: 'usecases', file: 'tests/usecases/second-factor/taken.test.ts' }
const FAILING_LOG = { project: 'usecases', file: 'tests/usecases/second-factor/failing-log.test.ts' }
const SET_UP = { project: 'usecases', file: 'tests/usecases/second-factor/set-up.test.ts' }

/** What a sign-in and a second factor ask for. */
export const SIGN_IN_GUARDS: readonly Guard[] = [
  {
    name: 'a code of an app that is good once',
    file: 'services/second-factor/second-factor.ts',
    with: "    .where('last_step', '<', given.step)\n",
    without: '',
    test: {
      project: 'services',
      file: 'tests/services/second-factor/second-factor.test.ts',
      title: 'of the same code sent many times at once one is good',
    },
  },
  {
    name: 'the tries of a challenge',
    file: 'services/sessions/challenges.ts',
    with: `.set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .where('token_hash', '=', hashToken(token))
        .where('tries', '<', CHALLENGE_TRIES)
`,
    without: `.set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
        .where('token_hash', '=', hashToken(token))
`,
    test: {
      project: 'services',
      file: 'tests/services/second-factor/challenges.test.ts',
      title: 'of many tries at once five count, and then it is over',
    },
  },
  {
    name: 'a code before a session, where a second factor is on',
    file: 'usecases/identity/open-session.ts',
    with: 'if (!(await ports.secondFactor.isOn(proven.member))) return',
    without: 'if (proven.member) return',
    test: {
      ...GIVE_CODE,
      title: 'a right password opens no session where a second factor is on; its code does, and is as the password was',
    },
  },
  {
    name: 'the same as the session is made',
    file: 'services/sessions/sessions.ts',
    with: '        if (!withFactor && (await isOn(tx, session.member))) return null\n',
    without: '',
    test: {
      ...GIVE_CODE,
      title: 'a second factor that is turned on while a log-in is under way is asked for all the same',
    },
  },
  {
    name: 'the password that a session is proven by',
    file: 'services/sessions/sessions.ts',
    with: ".where('password_hash', 'is not distinct from', passwordHash)",
    without: '',
    test: { ...GIVE_CODE, title: 'a reset between a right code and its session leaves no session' },
  },
  {
    name: 'a change and what the log is owed about it in one transaction',
    file: 'services/owed.ts',
    with: 'change(rowsOf(tx),',
    without: 'change(rowsOf(db),',
    test: { ...FAILING_LOG, title: 'a change that fails before its end changes nothing and owes nothing' },
  },
  {
    name: 'the work on what the log is owed',
    file: 'server/jobs.ts',
    with: "'send-owed': ({ command }, signal) => sendDue(owing, command, signal),",
    without: "'send-owed': async () => null,",
    test: {
      ...FAILING_LOG,
      title: 'what a process that died was about to note is noted by the next one that starts, once',
    },
  },
  {
    name: 'the log asked before a code is used up',
    file: 'usecases/second-factor/give-code.ts',
    with: '  const admitted = await admit(ports, { member, emailKey })\n',
    without: '  const admitted = { ok: true, reason: null }\n',
    test: { ...FAILING_LOG, title: 'a log that gives no answer at all leaves the codes as they are' },
  },
  {
    name: 'sockets that stay while nobody answers whether their sessions are there',
    file: 'realtime/session-watch.ts',
    with: 'of await sessionsThere([...bySession.keys()]))',
    without: 'of await sessionsThere([...bySession.keys()]).catch(() => []))',
    test: {
      project: 'realtime',
      file: 'tests/realtime/ends.test.ts',
      title: 'a socket whose session has no row any more closes, the others stay, and nothing closes without an answer',
    },
  },
  {
    name: 'codes counted for the account',
    file: 'usecases/second-factor/spend-code.ts',
    with: 'const counted = await ports.codeGuard.before(who)',
    without: 'const counted = { ...(await ports.codeGuard.before(who)), ok: true as const }',
    test: {
      ...GIVE_CODE,
      title: 'many sign-ins get no more codes looked at than an account has, and a known device has its own',
    },
  },
  {
    name: 'wrong codes that a new password does not forget',
    file: 'services/limits/login-guard.ts',
    with: 'prefix: CODES',
    without: "prefix: ''",
    test: { ...GIVE_CODE, title: 'a new password by mail forgets no wrong codes' },
  },
  {
    name: 'a log-in of just now to change a second factor',
    file: 'usecases/second-factor/may-change.ts',
    with: 'if (old) return old',
    without: 'void old',
    test: {
      ...SET_UP,
      title: 'turning off and new recovery codes take a log-in of just now and a code, and are mailed',
    },
  },
  {
    name: 'the code beside the password of somebody signed in',
    file: 'usecases/identity/prove.ts',
    with: '  if (wrong) return wrong\n',
    without: '',
    test: { ...SET_UP, title: 'the password alone proves nobody who has a second factor' },
  },
  {
    name: 'whose session is ended',
    file: 'services/sessions/sessions.ts',
    with: `        .where('member', '=', member)
        .where('id', '=', id)
`,
    without: "        .where('id', '=', id)\n",
    test: {
      ...SET_UP,
      title: 'sessions are listed by ids of their own, and one of them is ended by its member alone',
    },
  },
  {
    name: 'a sign-in of just now before another session is ended',
    file: 'usecases/identity/end-sessions.ts',
    with: '  const old = session === acting.who.session ? null : requireRecent(acting)\n',
    without: '  const old = null\n',
    test: { ...SET_UP, title: 'a session that signed in long ago ends itself alone' },
  },
  {
    name: 'codes of somebody signed in counted for their device',
    file: 'usecases/second-factor/own-code.ts',
    with: ', device: await acting.device?.()',
    without: '',
    test: {
      ...SET_UP,
      title: 'who guesses codes at the log-in costs a member no code of their app on a device that is known',
    },
  },
  {
    name: 'sessions that end with an undone second factor',
    file: 'usecases/second-factor/undo.ts',
    with: '    oweEnded(owe, await rows.sessions.revokeAll(member))\n',
    without: '',
    test: { ...TAKEN, title: 'the link of the mail gives the account back to its owner, once' },
  },
  {
    name: 'seven days of a link that undoes a second factor',
    file: 'services/second-factor/undo-links.ts',
    with: "    .where('link.expires_at', '>', at)\n",
    without: '',
    test: { ...TAKEN, title: 'after seven days the link does nothing' },
  },
  {
    name: 'the second factor that such a link is for',
    file: 'services/second-factor/undo-links.ts',
    with: "eb('factor.confirmed_at', '=', eb.ref('link.since'))",
    without: 'eb.val(true)',
    test: { ...TAKEN, title: 'an older link is void once the second factor was turned off and on again' },
  },
  {
    name: 'such a link void after a new password',
    file: 'services/credentials.ts',
    with: "        await tx.deleteFrom('undo_link').where('member', '=', member).execute()\n",
    without: '',
    test: {
      ...TAKEN,
      title: 'a reset leaves the second factor on and makes older links void; its mail has a new one, no longer good',
    },
  },
]
