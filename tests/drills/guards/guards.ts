import { ERASURE_GUARDS } from './erasure-guards.ts'
import type { Guard } from './guard.ts'
import { JOB_GUARDS } from './job-guards.ts'
import { LOCATION_GUARDS } from './location-guards.ts'
import { NETWORK_GUARDS } from './network-guards.ts'
import { PROJECTION_GUARDS } from './projection-guards.ts'
import { REALTIME_GUARDS } from './realtime-guards.ts'
import { REQUEST_GUARDS } from './request-guards.ts'
import { RESTORE_GUARDS } from './restore-guards.ts'
import { SET_BACK_GUARDS } from './set-back-guards.ts'
import { SIGN_IN_GUARDS } from './sign-in-guards.ts'
import { SNAPSHOT_GUARDS } from './snapshot-guards.ts'

export const GUARDS: readonly Guard[] = [
  {
    name: 'compare and swap of the checkpoint',
    file: 'projections/engine/checkpoints.ts',
    with: ' and c.position = due.position',
    without: '',
    test: {
      project: 'projections',
      file: 'tests/projections/engine-concurrent.test.ts',
      title: 'a batch that comes twice changes nothing the second time',
    },
  },
  {
    name: 'rows and checkpoint in one transaction',
    file: 'projections/engine/apply.ts',
    with: 'await inTransaction(pool, work, { ...GIVES_WAY, lockMs, pipelined: true })',
    without: 'await work(pool as never)',
    test: {
      project: 'projections',
      file: 'tests/projections/engine-concurrent.test.ts',
      title: 'a crash between the rows and the commit leaves neither rows nor checkpoint',
    },
  },
  {
    name: 'lock of the live checkpoint in a swap',
    file: 'projections/engine/targets.ts',
    with: "state = 'live' for update",
    without: "state = 'live'",
    test: {
      project: 'drills',
      file: 'tests/drills/guards/swap-lock.test.ts',
      title: 'while new tables are brought to where the live ones stand, those do not move on',
    },
  },
  {
    name: 'expected revision of an append',
    file: 'eventstore/log.ts',
    with: "expected === 'no_stream' ? expected : BigInt(expected)",
    without: "'any' as const",
    test: {
      project: 'eventstore',
      file: 'tests/eventstore/dispatch.test.ts',
      title: 'two processes that race on one stream lose no message and double none',
    },
  },
  {
    name: 'deadline of a form that is not read on',
    file: 'services/media/multipart.ts',
    with: 'deadline(() => end.abort(failed), caps.idleMs)',
    without: 'deadline(() => undefined, caps.idleMs)',
    test: {
      project: 'services',
      file: 'tests/services/hostile-forms.test.ts',
      title: 'a large part that names nothing does not keep the reader waiting for good',
    },
  },
  {
    name: 'seal of what was sent',
    file: 'services/media/sealed-draft.ts',
    with: 'appendFile(cipher.update(bytes))',
    without: 'appendFile((cipher.update(bytes), bytes))',
    test: {
      project: 'services',
      file: 'tests/services/sealed-draft.test.ts',
      title: 'the same bytes are sealed differently each time, and are never plain',
    },
  },
  {
    name: 'nonce of a sign-in with Google',
    file: 'services/google.ts',
    with: ' || claims.nonce !== nonce',
    without: '',
    test: {
      project: 'services',
      file: 'tests/services/google.test.ts',
      title: 'a nonce that was asked for must stand in the token',
    },
  },
  {
    name: 'an address that has an account, when Google vouches for it',
    file: 'usecases/identity/sign-in-with-google.ts',
    with: "if (await ports.credentials.findByKey(emailKey)) return refused('password-account')",
    without: '',
    test: {
      project: 'usecases',
      file: 'tests/usecases/identity/sign-in-with-google.test.ts',
      title: 'an address that has an account is not taken over, whoever made it',
    },
  },
  ...PROJECTION_GUARDS,
  ...ERASURE_GUARDS,
  ...SET_BACK_GUARDS,
  ...RESTORE_GUARDS,
  ...REQUEST_GUARDS,
  ...SIGN_IN_GUARDS,
  ...LOCATION_GUARDS,
  ...NETWORK_GUARDS,
  ...SNAPSHOT_GUARDS,
  ...JOB_GUARDS,
  ...REALTIME_GUARDS,
]
