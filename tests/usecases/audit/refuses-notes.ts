import type { Ports } from '../../../usecases/ports.ts'
import type { World } from '../../support/world.ts'

/** The world of a tool whose facts cannot be recorded: others keep writing first. */
export const refusesNotes = ({ context }: World): Ports => ({
  ...context,
  note: async () => ({ ok: false, reason: 'conflict' }),
})
