import pg from 'pg'

/** A pool, and the statements that its connections were given since it was last asked. */
export type CountedPool = { readonly pool: pg.Pool; since(): string[] }

/** Counts what a program asks of Postgres. */
export function countedPool(config: pg.PoolConfig): CountedPool {
  let statements: string[] = []
  class Counting extends pg.Client {
    override query(...given: unknown[]): never {
      const [first] = given
      statements.push(typeof first === 'string' ? first : ((first as { text?: string }).text ?? 'other'))
      return (super.query as (...given: unknown[]) => never)(...given)
    }
  }
  const pool = new pg.Pool({ ...config, Client: Counting as never })
  const since = () => {
    const seen = statements
    statements = []
    return seen
  }
  return { pool, since }
}
