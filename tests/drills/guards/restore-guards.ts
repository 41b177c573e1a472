import type { Guard } from './guard.ts'

const LOCK = 'tests/server/backup/process-lock.test.ts'
const BACKUP = { project: 'server', file: 'tests/server/backup/backup.test.ts' } as const
const TOOL = { project: 'server', file: 'tests/server/backup/tool.test.ts' } as const
const REFUSED = {
  ...TOOL,
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
    with: 'withoutProcesses(target.app, async (alone) => {',
    without: '((_: unknown, work: (locked: Locked) => Promise<Restored>) => work(log))(target.app, async (alone) => {',
    test: REFUSED,
  },
  {
    name: 'the lock of a process, whatever its roles',
    file: 'server/storage.ts',
    with: 'const lock = await shareProcessLock(config, {',
    without:
      'const lock = await (async (..._: unknown[]) => ({ look: async () => undefined, release: async () => undefined }))(config, {',
    test: { project: 'server', file: LOCK, title: 'whoever opens the tables has the lock until they are closed' },
  },
  {
    name: 'the lock of a process that lost its connection',
    file: 'server/process-lock.ts',
    with: 'return await holdLock(database, take, signal)',
    without: 'return await holdLock(database, async () => undefined, signal)',
    test: {
      project: 'server',
      file: LOCK,
      title: 'a process that loses its connection has the lock again, each time, until it ends',
    },
  },
  {
    name: 'a process that was cut off through a restore',
    file: 'server/process-lock.ts',
    with: 'if (known && oid !== known)',
    without: 'if (!known)',
    test: {
      project: 'server',
      file: LOCK,
      title: 'a process that was cut off through a whole restore is notified of it once it is back',
    },
  },
  {
    name: 'no start while a restore is at work',
    file: 'server/process-lock.ts',
    with: "if (!(await tryLock(client, 'shared')))",
    without: 'if (client === undefined)',
    test: { project: 'server', file: LOCK, title: 'no process starts while a restore is at work' },
  },
  {
    name: 'a restore that has lost its lock',
    file: 'services/postgres/lock-connection.ts',
    with: 'return await Promise.race([work({ client, signal }), refused])',
    without: 'return await work({ client, signal })',
    test: {
      project: 'server',
      file: LOCK,
      title: 'work is rejected at once when the connection that keeps others out is lost',
    },
  },
  {
    name: 'a lock on a server that ends idle connections',
    file: 'services/postgres/lock-connection.ts',
    with: '; set idle_session_timeout = 0`',
    without: '`',
    test: {
      project: 'server',
      file: LOCK,
      title: 'a lock outlasts the time after which the server ends connections without work',
    },
  },
  {
    name: 'a lock whose connection the server still sees',
    file: 'services/postgres/lock-connection.ts',
    with: "await client.query('select pg_advisory_unlock_all()').catch(() => undefined)",
    without: '',
    test: {
      project: 'server',
      file: LOCK,
      title: 'a lock that was let go is free, though the server has not seen the end of its connection',
    },
  },
  {
    name: 'the end of a process whose line is silent',
    file: 'services/postgres/lock-connection.ts',
    with: 'const late = setTimeout(() => socket.destroy(), CLOSE_MS)',
    without: 'const late = setTimeout(() => socket, CLOSE_MS)',
    test: {
      project: 'server',
      file: LOCK,
      title:
        'a process ends within two seconds when the line to its lock is silent, or its connection comes to nothing',
    },
  },
  {
    name: 'the lock of a start that failed',
    file: 'server/storage.ts',
    with: '    await lock.release()\n    throw error',
    without: '    throw error',
    test: { project: 'server', file: LOCK, title: 'whoever cannot bring the tables up to date has the lock no more' },
  },
  {
    name: 'rows beside a restore that began meanwhile',
    file: 'server/storage.ts',
    with: 'closeHandles().catch(() => undefined)',
    without: '',
    test: {
      project: 'server',
      file: LOCK,
      title: 'tables whose process comes back while a restore is at work are closed to it',
    },
  },
  {
    name: 'the mark of half a restore in the database',
    file: 'server/process-lock.ts',
    with: 'if (await isHalfRestored(client)) throw new BeingRestored(INTERRUPTED)',
    without: '',
    test: { ...BACKUP, title: 'a restore that no longer keeps others out ends, and nothing starts on what it leaves' },
  },
  {
    name: 'a backup beside a restore',
    file: 'server/tools/backup/create.ts',
    with: `return withoutRestore(source.app, async (locked) => {
    const folder = await realFolder(named)
    await lockFolder(locked.client, folder)
    await requireNew(folder)
    // Under the lock: a rotation takes no key out of use meanwhile.
    await requireKeyInUse(locked.client, masterKeysOf(source.masterKey))
    return make(source, folder, locked)
  })`,
    without: `return atOneMoment(source.app, async (client) =>
    make(source, await realFolder(named), { client, signal: new AbortController().signal } as Locked),
  )`,
    test: { ...BACKUP, title: 'no backup is made while a restore is at work' },
  },
  {
    name: 'an erasure that is counted once',
    file: 'server/tools/erasure/reapply.ts',
    with: 'for (const member of ended) half.delete(member)',
    without: '',
    test: {
      project: 'server',
      file: 'tests/server/erasure/resume.test.ts',
      title: 'an account that a backup brought back is erased once more, and counted once',
    },
  },
  ...[
    {
      name: 'the words of a tool beside a restore',
      file: 'server/tools/cli/support/attach.ts',
      with: 'await refuseWhileRestoring(parts.postgres.app)',
    },
    {
      name: 'the words of a log server beside a restore',
      file: 'server/embedded/log/serve.ts',
      with: 'await refuseWhileRestoring(databases.app)',
    },
    {
      name: 'the words of a start beside a restore',
      file: 'server/main.ts',
      with: 'refuseWhileRestoring(app).then(() => log)',
      without: 'log',
    },
  ].map((guard) => ({
    without: '',
    ...guard,
    test: {
      ...TOOL,
      title: 'a start beside a restore is refused for its sake, not for the log server that cannot write',
    },
  })),
  {
    name: 'the stop of a process that comes back to a restore',
    file: 'server/main.ts',
    with: 'const mustStop = (error: Error) => void fail(error)',
    without: 'const mustStop = (_: Error) => undefined',
    test: { ...TOOL, title: 'a process that had lost the database and comes back to a restore stops with an error' },
  },
  {
    name: 'the marks of a restore that fails',
    file: 'server/tools/backup/restore.ts',
    with: 'await beginRestoring(dataDir, alone.client)',
    without: '',
    test: { ...TOOL, title: 'half of a restore is known to whoever has the database, until it is restored' },
  },
]
