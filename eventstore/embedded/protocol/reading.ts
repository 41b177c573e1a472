import type { EventLog } from '../event-log.ts'
import type { Filter } from './filter.ts'
import type { Framer } from './links.ts'
import type { Outlet } from './outlet.ts'

/** Everything that one reading call needs. */
export type Reading = {
  log: EventLog
  outlet: Pick<Outlet, 'send' | 'until'>
  frame: Framer
  filter: Filter | undefined
}
