import { randomUUID } from 'node:crypto'
import type { EventLog } from './event-log.ts'
import type { LogUser } from './protocol/access.ts'

/**
 * Notes in the log itself who is let in, once for each name, as EventStoreDB does: in the stream `$user-<name>`, without the
 * password or anything made from it.
 */
export async function recordUsers(log: EventLog, users: readonly LogUser[]): Promise<void> {
  for (const { name } of users) {
    const data = Buffer.from(JSON.stringify({ loginName: name, groups: ['$admins'] }))
    const event = { id: randomUUID(), type: '$UserCreated', json: true, data, metadata: Buffer.alloc(0) }
    const deadline = Number.POSITIVE_INFINITY
    // A name that is there already is refused, and stays as it is.
    await log.write({ kind: 'append', stream: `$user-${name}`, expected: 'no_stream', events: [event], deadline })
  }
}
