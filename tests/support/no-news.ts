import { randomUUID } from 'node:crypto'
import type { StorableEvent } from '../../eventstore/events.ts'
import { ann, bea, T0 } from './people.ts'

/** As it is stored: every read model may take it, and nobody sees anything of it. */
export function noNews(id: string = randomUUID()): StorableEvent {
  const metadata = { commandId: id, correlationId: id, causationId: id, actor: 'system', schema: 1 }
  return { id, type: 'SkipUndone', data: { by: ann, target: bea, at: T0.toISOString() }, metadata }
}
