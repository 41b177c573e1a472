import { REASON_MAX } from '../../../domain/safety/commands.ts'
import { counted } from '../../../domain/shared/counted.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { words } from '../../../domain/shared/text.ts'
import { isNotFilled } from '../../../projections/not-filled.ts'
import { findReport, listOpenReports } from '../../../projections/reports/queries.ts'
import { noteView } from '../../../usecases/audit/note-view.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import type { Erasing } from '../../../usecases/identity/finish-erasure.ts'
import { forgetLost } from '../../../usecases/identity/forget-lost.ts'
import { closeCase } from '../../../usecases/safety/close-case.ts'
import { deactivateAccount } from '../../../usecases/safety/deactivate-account.ts'
import type { Operating } from '../../../usecases/safety/moderating.ts'
import { reinstateAccount } from '../../../usecases/safety/reinstate-account.ts'
import { suspendAccount } from '../../../usecases/safety/suspend-account.ts'
import { createToolPorts } from '../../ports.ts'
import type { Product } from '../../product.ts'
import { UsageError } from '../cli/support/command.ts'
import { erasingOf } from '../erasure/erasing.ts'
import { describeReport, ERASED, readCase, stamp } from './evidence.ts'
import { findLost, findMember, type Known } from './members.ts'
import { changeRole, listRoles, roleOf } from './roles.ts'

export type AdminRequest = { readonly words: readonly string[]; readonly reason?: string; readonly yes: boolean }
/** What is printed. A failure is thrown: `UsageError` for a wrong call, else an error that states why. */
export type AdminAnswer = readonly string[]

const ACTOR = 'admin:cli'
type Run = (product: Product, of: string, request: AdminRequest) => Promise<AdminAnswer>
/** `wants` names the argument of the command, `also` the one after it. */
type Command = { readonly wants: string | null; readonly also?: string; readonly run: Run }

/** Throws `UsageError` for words that make no command; needs nothing that runs. */
export function checkRequest({ words: [name = '', of, also] }: Pick<AdminRequest, 'words'>): void {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`There is no command "${name}".`)
  if (command.wants && !of) throw new UsageError(`${name} wants ${command.wants}.`)
  if (!command.wants && of) throw new UsageError(`"${of}" is one word too many.`)
  if (!command.also && also) throw new UsageError(`"${also}" is one word too many.`)
  if (command.also && !also) throw new UsageError(`${name} wants ${command.also} too.`)
  if (command.also) roleOf(of)
}

/** Does what the words ask for. */
export async function administer(product: Product, request: AdminRequest): Promise<AdminAnswer> {
  checkRequest(request)
  const [name = '', of = ''] = request.words
  try {
    return await (COMMANDS[name] as Command).run(product, of, request)
  } catch (error) {
    throw isNotFilled(error) ? new Error(NOT_FILLED, { cause: error }) : error
  }
}

const NOT_FILLED =
  'A read model that this needs is not filled yet: "npm run projections -- status" shows how far it is. The same call resumes.'

const WHO = "a member's e-mail address or id"
const COMMANDS: Readonly<Record<string, Command>> = {
  reports: { wants: null, run: reports },
  report: { wants: "a case's id", run: report },
  close: { wants: "a case's id", run: close },
  suspend: { wants: WHO, run: suspend },
  reinstate: { wants: WHO, run: reinstate },
  deactivate: { wants: WHO, run: deactivate },
  erase: { wants: WHO, run: erase },
  find: { wants: WHO, run: find },
  grant: { wants: 'a role', also: WHO, run: roleChange('GrantRole') },
  revoke: { wants: 'a role', also: WHO, run: roleChange('RevokeRole') },
  roles: { wants: null, run: listRoles },
}

function roleChange(type: 'GrantRole' | 'RevokeRole'): Run {
  return (product, role, { words: [, , who = ''] }) => changeRole(product, { type, role, who }, ACTOR)
}

const portsOf = ({ core, services }: Product) => createToolPorts(core, services, () => new Date())

function operating(product: Product): Operating {
  return { ...portsOf(product), actor: ACTOR }
}

/** Without words of members: whose are shown is noted, case by case. */
async function reports({ core }: Product): Promise<AdminAnswer> {
  const open = await listOpenReports(core.storage.read)
  if (open.length === 0) return ['No case is open.']
  const lines = open.map(
    ({ id, reporter, target, opened_at, reports: times, reason }) =>
      `${id}  ${stamp(opened_at)}  ${reporter} about ${target}  ${times}x${reason === '' ? `  ${ERASED}` : ''}`,
  )
  return [...lines, `${open.length} open; "report <id>" shows the evidence.`]
}

async function theCase({ core }: Product, id: string) {
  const found = await findReport(core.storage.read, id)
  if (!found) throw new Error(`There is no case ${id}.`)
  return found
}

async function report(product: Product, id: string): Promise<AdminAnswer> {
  const found = await theCase(product, id)
  // Before anything of it is shown, as with a history.
  for (const member of [found.reporter, found.target])
    await noteView(portsOf(product), ACTOR, member as MemberId, 'case')
  const reports = await readCase(product.core, found)
  const target = await findMember(product, found.target)
  return [
    `Case ${found.id}: ${found.status}, reported ${counted(found.reports, 'time')} since ${stamp(found.opened_at)}`,
    `Reporter ${found.reporter}`,
    `About ${found.target} (${target?.status ?? 'unknown'})`,
    ...reports.flatMap(describeReport),
  ]
}

async function close(product: Product, id: string): Promise<AdminAnswer> {
  const found = await theCase(product, id)
  if (found.status !== 'open') return [`Case ${id} is closed already (${found.status}).`]
  await closeCase(operating(product), found, 'no-action')
  return [`Case ${id} is closed without action.`]
}

async function theMember(product: Product, who: string): Promise<Known> {
  const known = await findMember(product, who)
  if (known) return known
  const lost = await findLost(product, who)
  if (!lost) throw new Error(`Nobody is known by ${who}.`)
  throw new Error(`The log has lost the sign-up of ${lost}: docs/how-to/back-up-and-restore.md has what can be done.`)
}

async function find(product: Product, who: string): Promise<AdminAnswer> {
  const { member, status } = await theMember(product, who)
  const { services } = product
  const account = await accountOf(product, member)
  const sessions = await services.sessions.list(member)
  return [
    `${member}: ${status === 'gone' ? 'erased' : status}${account?.demo ? ', synthetic' : ''}${account?.started === false ? ', sign-up unfinished' : ''}`,
    ...(account ? [`registered ${stamp(account.registered_at)}, ${counted(sessions.length, 'session')}`] : []),
  ]
}

function accountOf({ core }: Product, member: MemberId) {
  return core.storage.read.selectFrom('account').selectAll().where('member', '=', member).executeTakeFirst()
}

async function suspend(product: Product, who: string, { reason, yes }: AdminRequest): Promise<AdminAnswer> {
  const parsed = words(REASON_MAX).safeParse(reason ?? '')
  if (!parsed.success) throw new UsageError(`suspend wants --reason with 1 to ${REASON_MAX} characters.`)
  const { member } = await theMember(product, who)
  if (!yes) throw new UsageError(`This shuts ${member} out and ends every session. Add --yes to do it.`)
  const done = await suspendAccount(operating(product), member, parsed.data)
  if (!done.ok) throw refused(member, done.reason)
  return [`${member} is suspended: ${counted(done.sessions, 'session')} ended, ${counted(done.cases, 'case')} closed.`]
}

async function reinstate(product: Product, who: string): Promise<AdminAnswer> {
  const { member, status } = await theMember(product, who)
  const done = await reinstateAccount(operating(product), member)
  if (!done.ok && done.reason === 'already') throw new Error(`${member} is not suspended, but ${status}.`)
  if (!done.ok) throw refused(member, done.reason)
  return [`${member} is reinstated and may sign in again.`]
}

async function deactivate(product: Product, who: string): Promise<AdminAnswer> {
  const { member } = await theMember(product, who)
  const done = await deactivateAccount(operating(product), member)
  if (!done.ok) throw refused(member, done.reason)
  return [`${member} is deactivated: ${counted(done.sessions, 'session')} ended.`]
}

async function erase(product: Product, who: string, { yes }: AdminRequest): Promise<AdminAnswer> {
  const lost = await findLost(product, who)
  const { member, status } = lost ? { member: lost, status: 'none' } : await theMember(product, who)
  if (!yes) throw new UsageError(`This forgets ${member} for ever; nothing brings it back. Add --yes to do it.`)
  const erasing = erasingOf({ ...product, now: () => new Date() }, ACTOR)
  if (lost) return eraseLost(erasing, lost)
  const done = await eraseAccount(erasing, member)
  if (!done.ok) throw refused(member, done.reason)
  const before = done.finished ? ' (taken up where it stopped)' : ' (and was before)'
  return [
    `${member} is erased${status === 'gone' ? before : ''}: account, files, place, sessions and key are gone, and the address is free.`,
  ]
}

async function eraseLost(erasing: Erasing, member: MemberId): Promise<AdminAnswer> {
  const done = await forgetLost(erasing, member)
  if (!done.ok) throw new Error(`The erasure of ${member} has stopped half way: ${done.reason}. Run it again.`)
  return [
    `${member}, of whom the log knows nothing, is erased: files, place, sessions and key are gone, and the address is free.`,
  ]
}

const refused = (member: MemberId, reason: string) =>
  new Error(`Nothing was changed for ${member}: ${reason}. ${reason === 'conflict' ? 'Try again.' : ''}`.trim())
