import { UndecodableEvent } from '../../eventstore/codec.ts'
import { errorFields, type Logger } from '../../services/log.ts'

/** The lines of a start about what it waits for or goes on without. */
export const reportLocked = (logger: Logger) => (error: unknown) =>
  logger.warn('Others keep tables locked; this start waits for them.', { kind: 'projection', ...errorFields(error) })
export const reportWaiting = (logger: Logger) => (error: unknown) => {
  const unread = error instanceof UndecodableEvent
  const text = unread ? 'An erasure waits for an event that cannot be read.' : 'An erasure is not finished yet.'
  logger.error(text, { kind: 'erasure', ...errorFields(error) })
}

export const reportLeft = (logger: Logger) => (error: unknown) =>
  logger.warn('What an earlier process left of uploads cannot be removed.', { kind: 'media', ...errorFields(error) })
