import { randomBytes } from 'node:crypto'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { days } from '../../../domain/shared/dates.ts'
import { pairIdOf } from '../../../domain/shared/ids.ts'
import { blocked, buzzed, matched, messageId, messageSent } from '../../support/people.ts'
import { record } from '../../support/templates/crowd.ts'
import type { World } from '../../support/world.ts'
import type { Details, Person } from '../../support/world-people.ts'

/** Who a target is to the caller, and what has become of the target (api-contract §6.1 and §6.4). */
export const RELATIONS = [
  'self',
  'matched',
  'likedByMe',
  'likedMe',
  'skipped',
  'stranger',
  'strangerLimited',
  'strangerFull',
  'blockedByMe',
  'blockedMe',
  'hidden',
  'hiddenMatched',
  'hiddenLikedMe',
  'deactivated',
  'deactivatedMatched',
  'suspended',
  'suspendedMatched',
  'gone',
  'goneMatched',
  'unknown',
] as const
export type Relation = (typeof RELATIONS)[number]

/** Who calls, by the token alone. */
export const CALLERS = [
  'anonymous',
  'badToken',
  'expiredToken',
  'revokedToken',
  'deactivatedCaller',
  'suspendedCaller',
] as const
export type CallerKind = (typeof CALLERS)[number]

/** In nobody's id, mail or page but a target's own: it shows where a private word got out. */
export const CANARY = 'Zarquon'
export const canaryOf = (relation: Relation) => `${CANARY} ${relation}.`
const UNKNOWN = '0123456789abcdefghijklmn'

type Target = Exclude<Relation, 'self' | 'unknown'>
const DETAILS: Partial<Record<Target, Details>> = {
  strangerLimited: { visibilityMode: 'limited' },
  strangerFull: { visibilityMode: 'full' },
}
const TARGETS = RELATIONS.filter((one): one is Target => one !== 'self' && one !== 'unknown')

export type Cast = {
  /** One caller each who stands in every relation to the targets. */
  readonly callers: ReadonlyMap<string, Person>
  readonly targets: ReadonlyMap<Target, Person>
  readonly idOf: (relation: Relation, me: Person) => string
  /** The first message of the caller's room with a match. */
  readonly messageId: string
  /** By kind; null sends no header at all. */
  readonly tokens: Readonly<Record<CallerKind, string | null>>
  /** Somebody with nothing but an account. */
  readonly bystander: Person
}

/** Makes the targets, and for each name a caller who stands in every relation to them. */
export async function castOf(world: World, names: readonly string[]): Promise<Cast> {
  const targets = new Map<Target, Person>()
  const join = async (name: Target) =>
    targets.set(name, await world.join(name, { lastName: canaryOf(name), ...DETAILS[name] }))
  await Promise.all(TARGETS.map(join))
  const callers = new Map<string, Person>()
  await Promise.all(names.map(async (name) => callers.set(name, await world.join('Caller'))))
  const bystander = await world.join('Bystander')
  await world.settled()
  const at = (name: Target) => targets.get(name) as Person
  // One after the other: the read models keep up meanwhile.
  for (const me of callers.values()) await relate(world, me, at)
  await world.settled()
  await turn(world, at)
  const tokens = await makeTokens(world)
  await world.settled()
  const idOf = (relation: Relation, me: Person) =>
    relation === 'self' ? me.id : relation === 'unknown' ? UNKNOWN : at(relation).id
  return { callers, targets, idOf, messageId: MESSAGE, tokens, bystander }
}

const MESSAGE = 'first-words'

/** What happened between a caller and the targets before anything became of them; matches wrote first. */
async function relate(world: World, { id: me }: Person, at: (name: Target) => Person): Promise<void> {
  const now = new Date()
  const match = (name: Target) => matched(me, at(name).id, now)
  const greeted = (name: Target) => [
    ...match(name),
    { ...messageSent(at(name).id, me, 1, `Hello from ${name}`, now), message: messageId(MESSAGE) },
  ]
  const until = new Date(now.getTime() + days(112))
  const happened: Partial<Record<Target, readonly DomainEvent[]>> = {
    matched: greeted('matched'),
    hiddenMatched: greeted('hiddenMatched'),
    deactivatedMatched: greeted('deactivatedMatched'),
    suspendedMatched: match('suspendedMatched'),
    goneMatched: greeted('goneMatched'),
    likedByMe: [buzzed(me, at('likedByMe').id, now)],
    likedMe: [buzzed(at('likedMe').id, me, now)],
    hiddenLikedMe: [buzzed(at('hiddenLikedMe').id, me, now)],
    skipped: [{ type: 'Skipped', by: me, target: at('skipped').id, until, at: now }],
    blockedByMe: [blocked(me, at('blockedByMe').id, now)],
    blockedMe: [blocked(at('blockedMe').id, me, now)],
  }
  const met = Object.entries(happened) as [Target, readonly DomainEvent[]][]
  await Promise.all(met.map(([name, events]) => record(world, [`pair-${pairIdOf(me, at(name).id)}`, events])))
}

/** What becomes of the targets once everybody knows them. */
async function turn(world: World, at: (name: Target) => Person): Promise<void> {
  for (const name of ['hidden', 'hiddenMatched', 'hiddenLikedMe'] as const)
    await world.edit(at(name), { visibilityMode: 'hidden' })
  for (const name of ['deactivated', 'deactivatedMatched'] as const) await world.account(at(name), 'Deactivate')
  for (const name of ['suspended', 'suspendedMatched'] as const) await world.account(at(name), 'Suspend')
  for (const name of ['gone', 'goneMatched'] as const) await world.account(at(name), 'EraseAccount')
}

async function makeTokens(world: World): Promise<Cast['tokens']> {
  const { sessions } = world.services
  const owner = await world.join('Owner')
  const expired = await sessions.create({ member: owner.id, remember: false, label: 'Old' })
  const long = new Date(Date.now() - 1000 * 60 * 60 * 24 * 60)
  await world.core.storage.app
    .updateTable('session')
    .set({ created_at: long, last_seen_at: long })
    .where('id', '=', expired.session.id)
    .execute()
  const revoked = await sessions.create({ member: owner.id, remember: false, label: 'Ended' })
  await sessions.revoke(owner.id, revoked.session.id)
  const [away, barred] = [await world.join('Away'), await world.join('Barred')]
  await world.account(away, 'Deactivate')
  await world.account(barred, 'Suspend')
  return {
    anonymous: null,
    badToken: randomBytes(32).toString('base64url'),
    expiredToken: expired.token,
    revokedToken: revoked.token,
    deactivatedCaller: away.token,
    suspendedCaller: barred.token,
  }
}
