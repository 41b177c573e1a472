import type { Guard } from './guard.ts'

const LOCK = 'tests/server/backup/process-lock.test.ts'
const REFUSED = {
  project: 'server',
  file: 'tests/server/backup/tool.test.ts',
  title: 'a restore is refused while a process of its product runs elsewhere, and then fills with a log of its own',
} as const

/** What keeps a restore and the product apart. */
export const RESTORE_GUARDS: readonly Guard[] = [
  {
    name: 'a restore beside a log server',
    file: 'server/tools/backup/restore.ts',
    with: "if (!rows[0]!.locked) throw new Error('A log server runs on this database. Stop it first.')",
    without: '',
    test: REFUSED,
  },
  {
    name: 'a restore beside a process of the product',
    file: 'server/tools/backup/restore.ts',
    with: 'const restored = await withoutProcesses(target.app, async () => {',
    without:
      'const restored = await (async (_: unknown, work: () => Promise<Restored>) => work())(target.app, async () => {',
    test: REFUSED,
  },
  {
    name: 'the lock of a process, whatever its roles',
    file: 'server/storage.ts',
    with: 'const lock = await shareProcessLock(config)',
    without: 'const lock = { release: async () => undefined }',
    test: { project: 'server', file: LOCK, title: 'whoever opens the tables has the lock until they are closed' },
  },
  {
    name: 'the lock of a process that lost its connection',
    file: 'server/process-lock.ts',
    with: "if (await tryLock(client, 'shared')) return",
    without: 'return',
    test: {
      project: 'server',
      file: LOCK,
      title: 'a process that loses its connection has the lock again, each time, until it ends',
    },
  },
  {
    name: 'no start while a restore is at work',
    file: 'server/process-lock.ts',
    with: "if (!(await tryLock(client, 'shared')))",
    without: 'if (client === undefined)',
    test: { project: 'server', file: LOCK, title: 'no process starts while a restore is at work' },
  },
]
