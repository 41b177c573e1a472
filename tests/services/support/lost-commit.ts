import type { AppDb } from '../../../services/app-db.ts'

/** The answer to the first commit is lost, though the database has made it: as where a connection is cut behind it. */
export function losingCommit(db: AppDb): AppDb {
  let isLost = false
  const transaction = () => ({
    async execute<T>(work: (tx: AppDb) => Promise<T>): Promise<T> {
      const result = await db.transaction().execute(work)
      if (isLost) return result
      isLost = true
      throw new Error('Connection terminated unexpectedly')
    },
  })
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return transaction
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
