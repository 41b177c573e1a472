import { z } from 'zod'
import type { SnapshotForm } from '../shared/decider.ts'
import { Role } from './roles.ts'

/** `none`: never registered. `gone`: erased, for ever. */
export type AccountStatus = 'none' | 'active' | 'deactivated' | 'suspended' | 'gone'
/**
 * `wasDeactivated`: by the member, before it was suspended. `certified`: nothing of the erased account is left to remove.
 */
export type Member = {
  readonly status: AccountStatus
  readonly wasDeactivated: boolean
  readonly erasedAt: Date | null
  readonly certified: boolean
  readonly roles: readonly Role[]
}

const Packed = z.object({
  status: z.enum(['none', 'active', 'deactivated', 'suspended', 'gone']),
  wasDeactivated: z.boolean(),
  erasedAt: z.coerce.date().nullable(),
  certified: z.boolean(),
  roles: z.array(Role),
})

/** Each sign-in and sign-out may leave a note, so an account's stream grows as long as its owner likes. */
export const memberSnapshot: SnapshotForm<Member> = {
  version: 1,
  pack: (member) => member,
  unpack: (packed) => Packed.parse(packed),
}
