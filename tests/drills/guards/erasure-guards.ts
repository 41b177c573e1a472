import type { Guard } from './guard.ts'

const LATE = 'tests/server/erasure/late-upload.test.ts'
const END = 'tests/usecases/register/end-unfinished.test.ts'
const UNUSED = 'tests/usecases/profile/unused.test.ts'
const SLOW = 'a registration that is slow at step %i and the sweep leave an account or nothing'

/** What ends for ever, and what is undone. */
export const ERASURE_GUARDS: readonly Guard[] = [
  {
    name: 'one wait for the read models in a sweep',
    file: 'usecases/register/end-unfinished.ts',
    with: 'const once = askingOnce(context)',
    without: 'const once = context',
    test: {
      project: 'usecases',
      file: 'tests/usecases/register/end-many.test.ts',
      title: 'a sweep of many waits for a read model that is behind once, and leaves what that would show to the next',
    },
  },
  {
    name: 'one wait for the read models in a start',
    file: 'server/tools/erasure/reapply.ts',
    with: 'const once = askingOnce(context)',
    without: 'const once = context',
    test: {
      project: 'server',
      file: 'tests/server/erasure/many.test.ts',
      title: 'a start that finishes many erasures waits for a read model that is behind once, not for each',
    },
  },
  {
    name: 'blocks that read models do not show yet',
    file: 'usecases/identity/finish-erasure.ts',
    with: '(await context.upToDate(ASKED)) && ',
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/erasure/many.test.ts',
      title: 'a start that erases many once more ends all accounts before it waits, and keeps the blocks of each',
    },
  },
  {
    name: 'rows of another log, for the blocks of others',
    file: 'usecases/identity/finish-erasure.ts',
    with: ' && (await erasure.showLog(ASKED))',
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/erasure/kept-blocks.test.ts',
      title: 'rows of another log are not asked for the blocks of others, and the address waits',
    },
  },
  {
    name: 'accounts of a log that was set back, at a start',
    file: 'projections/engine/runner.ts',
    with: 'this.moved(positionIn(await log.id(), assignment.live))',
    without: 'this.moved(assignment.live.position)',
    test: {
      project: 'server',
      file: 'tests/server/erasure/set-back.test.ts',
      title: 'whoever was erased is so again after the first start with a projector on a log that was set back',
      each: 'whoever was erased is so again after the first start %s on a log that was set back',
    },
  },
  {
    name: 'a block on its way while the account ends',
    file: 'usecases/pair/block.ts',
    with: 'if (sent.ok && account) await keepBeyondErasure(acting, account)',
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/erasure/kept-blocks.test.ts',
      title: 'a block that was on its way while the account ended is kept',
    },
  },
  {
    name: 'no row of the erased',
    file: 'services/erased.ts',
    with: 'return key?.wrapped.length === 0',
    without: 'return key === null',
    test: {
      project: 'server',
      file: LATE,
      title: 'whoever is erased does not act, and no position of theirs is stored',
    },
  },
  {
    name: 'the lock of a key under a row of its member',
    file: 'services/erased.ts',
    with: '    .forShare()\n',
    without: '',
    test: {
      project: 'server',
      file: LATE,
      title: 'the key of who is about to own a row is destroyed once the row is there',
    },
  },
  {
    name: 'no command of the erased',
    file: 'usecases/act.ts',
    with: ', unlessErased: true',
    without: '',
    test: {
      project: 'server',
      file: LATE,
      title: 'whoever is erased does not act, and no position of theirs is stored',
    },
  },
  {
    name: 'the lease under which a credential is made',
    file: 'services/proof-leases.ts',
    with: "    .where('id', '=', proof)\n    .where('held_by', '=', lease)\n",
    without: "    .where('id', '=', proof)\n",
    test: {
      project: 'usecases',
      file: END,
      title: 'a registration that is slow at step 6 and the sweep leave an account or nothing',
      each: SLOW,
    },
  },
  {
    name: 'the lease renewed before each step of a registration',
    file: 'usecases/register/create-member.ts',
    with: "if (!(await context.proofs.renew(proof.token, lease))) return refused('spent')",
    without: '',
    test: {
      project: 'usecases',
      file: END,
      title: 'a registration that is slow at step 3 and the sweep leave an account or nothing',
      each: SLOW,
    },
  },
  {
    name: 'the files of a gallery looked for before its account is one',
    file: 'usecases/register/confirm-address.ts',
    with: "if (!(await keepGallery(context, member, member))) return 'invalid-media'",
    without: '',
    test: {
      project: 'usecases',
      file: 'tests/usecases/register/uploads.test.ts',
      title: 'a registration is refused once no photo of its gallery is there, and makes no account',
    },
  },
  {
    name: 'no file removed for a gallery that the log does not have',
    file: 'usecases/profile/remove-unused.ts',
    with: 'if (gallery.items.length === 0) return 0',
    without: '',
    test: {
      project: 'usecases',
      file: UNUSED,
      title: 'files of a member whose gallery the log does not know, or that cannot be read, stay and stop no other',
    },
  },
  {
    name: 'no file removed that a command has just attached',
    file: 'services/media/removal.ts',
    with: "      where('attached_at', '<', before),\n",
    without: '',
    test: {
      project: 'usecases',
      file: UNUSED,
      title: 'a file that a command has attached anew while the sweep looks stays',
    },
  },
  {
    name: 'a proof that is idle only once its lease has passed',
    file: 'services/proof-endings.ts',
    with: 'idle: row.held_by === null && (row.held_until === null || row.held_until <= at)',
    without: 'idle: at !== null',
    test: {
      project: 'services',
      file: 'tests/services/signup-proofs.test.ts',
      title: 'a lease is void once its proof is refused, which is not idle until a lease has passed',
    },
  },
]
