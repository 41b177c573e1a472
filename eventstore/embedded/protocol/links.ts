import type { EventLog } from '../event-log.ts'
import type { StoredEvent } from '../records.ts'
import type { IdForm } from './uuids.ts'
import { eventFrame, sharedFrame } from './wire.ts'

/** Encodes an event for one reader. */
export type Framer = (event: StoredEvent) => Buffer | Promise<Buffer>

const LINK_TYPE = '$>'
const LINK = /^\s*([+-]?\d{1,19})\s*(?:@(.*))?$/s
const LAST = -1

/** Readers who ask for it get the event a link points to, beside the link. */
export function framer(log: EventLog, resolveLinks: boolean, ids: IdForm): Framer {
  if (!resolveLinks) return (event) => sharedFrame(event, ids)
  return (event) => (event.type === LINK_TYPE ? resolved(log, event, ids) : sharedFrame(event, ids))
}

/**
 * A link's payload is `revision@stream`; one without a number is an event like any other. What a reader of that stream
 * would not see, nobody sees through a link.
 */
async function resolved(log: EventLog, link: StoredEvent, ids: IdForm): Promise<Buffer> {
  const [, revision, stream] = LINK.exec(link.data.toString('utf8')) ?? []
  if (revision === undefined) return sharedFrame(link, ids)
  const event = stream && !stream.includes('\0') ? await seen(log, stream, Number(revision)) : undefined
  return eventFrame(event, { link, ids })
}

async function seen(log: EventLog, stream: string, asked: number): Promise<StoredEvent | undefined> {
  const { first, last, since, exists, deleted } = await log.visible(stream)
  const revision = asked === LAST ? last : asked
  if (!exists || deleted || revision < first || revision > last) return undefined
  const { events } = await log.storage.readStream(stream, { from: revision, backwards: false, limit: 1 })
  return events.find((event) => event.revision === revision && event.created >= since)
}
