import type { EventLog } from '../event-log.ts'
import type { StoredEvent } from '../records.ts'
import { eventFrame, sharedFrame } from './wire.ts'

/** Encodes an event for one reader. */
export type Framer = (event: StoredEvent) => Buffer | Promise<Buffer>

const LINK_TYPE = '$>'

/** Readers who ask for it get the event a link points to, beside the link. */
export function framer(log: EventLog, resolveLinks: boolean): Framer {
  if (!resolveLinks) return sharedFrame
  return (event) => (event.type === LINK_TYPE ? resolved(log, event) : sharedFrame(event))
}

/** A link's payload is `revision@stream`. */
async function resolved(log: EventLog, link: StoredEvent): Promise<Buffer> {
  const [revision = '', ...name] = link.data.toString('utf8').split('@')
  const from = Number(revision)
  const page = await log.storage.readStream(name.join('@'), { from, backwards: false, limit: 1 })
  const target = page.events[0]
  return eventFrame(target?.revision === from ? target : undefined, link)
}
