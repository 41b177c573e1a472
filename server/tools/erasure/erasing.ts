import type { Clock } from '../../../services/clock.ts'
import type { Erasing } from '../../../usecases/identity/finish-erasure.ts'
import type { Services } from '../../../usecases/ports.ts'
import type { Core } from '../../core.ts'
import { createToolPorts } from '../../ports.ts'

export type ErasureParts = {
  readonly core: Core
  readonly services: Services
  readonly now: Clock
}

/** What erasing a member needs, for the product's own parts. */
export function erasingOf({ core, services, now }: ErasureParts, actor: string): Erasing {
  return { ...createToolPorts(core, services, now), actor }
}
