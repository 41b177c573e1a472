import pg from 'pg'
import { backOff } from '../eventstore/retry.ts'

const LOCK_NAME = 'product-process'

export type ProcessLock = { release(): Promise<void> }

/**
 * The lock that every process of the product shares for as long as it lives, whatever its roles, so that a restore finds it
 * on any machine. It belongs to a connection of its own; one that is lost is made again, and the lock with it. Throws while
 * a restore has the lock.
 */
export async function shareProcessLock(database: pg.ClientConfig): Promise<ProcessLock> {
  const released = new AbortController()
  const { signal } = released
  let { client, lost } = await connect(database)
  if (!(await tryLock(client, 'shared'))) {
    await client.end()
    throw new Error('This database is being restored. Start again once the restore has ended.')
  }

  async function lockAgain(): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        ;({ client, lost } = await connect(database))
        // Not while a restore is at work that came in between.
        if (await tryLock(client, 'shared')) return
      } catch {}
      await client.end().catch(() => undefined)
      await backOff(attempt, signal)
    }
  }

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      await lost
      await lockAgain()
    }
    await client.end().catch(() => undefined)
  }

  const keeping = keep()
  return {
    async release() {
      released.abort()
      await client.end().catch(() => undefined)
      await keeping
    },
  }
}

/** Runs `work` while no process of the product is there, and none can start. Throws where one is. */
export async function withoutProcesses<T>(database: pg.ClientConfig, work: () => Promise<T>): Promise<T> {
  const { client } = await connect(database)
  try {
    if (!(await tryLock(client, 'alone')))
      throw new Error('A process of the product is connected to this database. Stop it first.')
    return await work()
  } finally {
    // Ending the connection lets go as well, but a moment later.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    await client.end().catch(() => undefined)
  }
}

/** `lost` resolves once the connection has ended. */
async function connect(database: pg.ClientConfig): Promise<{ client: pg.Client; lost: Promise<unknown> }> {
  const client = new pg.Client({ ...database, keepAlive: true })
  client.on('error', () => undefined)
  const lost = new Promise((resolve) => client.once('end', resolve))
  await client.connect()
  return { client, lost }
}

async function tryLock(client: pg.Client, how: 'shared' | 'alone'): Promise<boolean> {
  const lock = how === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query<{ locked: boolean }>(`select ${lock}(hashtext($1)) as locked`, [LOCK_NAME])
  return rows[0]!.locked
}
