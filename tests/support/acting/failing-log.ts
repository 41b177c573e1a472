import { LogUnavailable } from '../../../eventstore/log.ts'
import type { Ports } from '../../../usecases/ports.ts'

/** The same for a caller none of whose events reach the log; those of the product's own work do. */
export function withoutAppends<P extends Ports>(ports: P): P {
  const fails = async () => {
    throw new LogUnavailable('A test’s log takes nothing.')
  }
  return { ...ports, dispatch: fails, note: fails }
}
