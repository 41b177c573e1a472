import { randomUUID } from 'node:crypto'
import { memberDecider } from '../../../domain/identity/member.ts'
import { ROLES, Role } from '../../../domain/identity/roles.ts'
import { listMembersEverGranted } from '../../../projections/history/queries.ts'
import type { Product } from '../../product.ts'
import { UsageError } from '../cli/support/command.ts'
import { findMember } from './members.ts'

export type RoleChange = { readonly type: 'GrantRole' | 'RevokeRole'; readonly role: string; readonly who: string }

/** Throws `UsageError` for a word that is no role. */
export function roleOf(word: string | undefined): Role {
  const role = Role.safeParse(word)
  if (!role.success) throw new UsageError(`A role is one of ${ROLES.join(', ')}.`)
  return role.data
}

/** Gives or takes a role; the next page that asks for it knows. */
export async function changeRole(
  product: Product,
  { type, role: word, who }: RoleChange,
  actor: string,
): Promise<string[]> {
  const role = roleOf(word)
  const known = await findMember(product, who)
  if (!known || known.status === 'gone') throw new Error(`Nobody is known by ${who}.`)
  const { member } = known
  const command = { type, member, role, by: actor, at: new Date() } as const
  const done = await product.core.dispatch(memberDecider, command, { commandId: randomUUID(), actor })
  if (!done.ok) throw new Error(`Nothing was changed for ${member}: ${done.reason}.`)
  const has = type === 'GrantRole' ? `has the role ${role}` : `does not have the role ${role}`
  return [done.events.length === 0 ? `Nothing to do: ${member} ${has}.` : `${member} ${has} from now on.`]
}

/** Who has which role, by the log. */
export async function listRoles({ core }: Product): Promise<string[]> {
  const lines: string[] = []
  for (const member of await listMembersEverGranted(core.storage.read)) {
    const { roles, status } = await core.loadState(memberDecider, member)
    if (roles.length > 0) lines.push(`${member}  ${roles.join(' ')}${status === 'active' ? '' : `  (${status})`}`)
  }
  return lines.length === 0 ? ['Nobody has a role.'] : lines
}
