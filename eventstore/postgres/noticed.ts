/**
 * What a connection asks of its server as it begins, so that the locks of a machine that is gone without a word are free within
 * half a minute. The same as in `services/postgres/heard-connections.ts`, which is not to be imported here.
 */
export const NOTICED =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 30000'

/** How long a new connection may be without an answer, in milliseconds. */
export const CONNECT_MS = 8_000
