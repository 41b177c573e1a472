import type { Sweepable } from '../../../services/sweep.ts'
import { freeAddresses } from '../../../usecases/identity/free-addresses.ts'
import { type ErasureParts, erasingOf } from './erasing.ts'

/** Ends the ids of addresses that nobody can sign in or sign up with. */
export function createAddressSweep(parts: ErasureParts): Sweepable {
  return { sweep: () => freeAddresses(erasingOf(parts, 'system')) }
}
