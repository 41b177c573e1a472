import { z } from 'zod'
import type { SnapshotForm } from '../shared/decider.ts'
import type { Member } from './member.ts'
import { Role } from './roles.ts'

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
