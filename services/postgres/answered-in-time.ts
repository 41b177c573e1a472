import pg from 'pg'

/** How long a new connection may be without an answer, in milliseconds. */
export const CONNECT_MS = 8_000

/**
 * A client class for pools: a new connection that nobody answers fails, and gives its place to the next. A pool's own limit also ends
 * the wait for a place, which may be long.
 */
export function answeredInTime(Client = pg.Client, connectMs = CONNECT_MS): typeof pg.Client {
  return class extends Client {
    constructor(config?: pg.ClientConfig) {
      // A pool hides the password of its options.
      super({ connectionTimeoutMillis: connectMs, ...config, password: config?.password })
    }
  }
}
