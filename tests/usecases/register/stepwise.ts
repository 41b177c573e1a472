import { expect } from 'vitest'
import { emailDecider } from '../../../domain/identity/email.ts'
import { createAddressSweep } from '../../../server/tools/erasure/free.ts'
import { createUnfinishedSweep } from '../../../server/tools/erasure/unfinished.ts'
import { createUnusedSweep } from '../../../server/tools/erasure/unused.ts'
import { sweepableOf } from '../../../services/sweep.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { memberOfProof } from '../../../usecases/register/proof.ts'
import { register } from '../../../usecases/register/register.ts'
import { newcomer, PASSWORD } from '../../support/newcomers.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** All that a registration does, in its order. */
export const STEPS = [
  'give the address an id',
  'reserve the address',
  'hand the uploads over',
  'restore a block',
  'register the member',
  'start the profile',
  'create the credential',
  'fill the gallery',
  'confirm the address',
  'forget the kept block',
  'complete the proof',
] as const
/** From here on they can sign in. */
export const REGISTERED = STEPS.indexOf('fill the gallery')
/** After how many of them a process may die. */
export const deaths = [...STEPS.keys()]

/** `before`: what comes between a step, by its number, and the decision to take it. */
export function stepwise(ports: Ports, before: (step: number) => Promise<void>): Ports {
  let count = 0
  const step = <A extends unknown[], R>(work: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      await before(count++)
      return work(...given)
    }
  }
  const { addresses, media, credentials, keptBlocks, proofs } = ports
  return {
    ...ports,
    dispatch: step(ports.dispatch) as Ports['dispatch'],
    addresses: { ...addresses, give: step(addresses.give) },
    media: { ...media, handOver: step(media.handOver) },
    credentials: { ...credentials, create: step(credentials.create) },
    keptBlocks: { ...keptBlocks, forget: step(keptBlocks.forget) },
    proofs: { ...proofs, complete: step(proofs.complete) },
  }
}

/** The process dies after so many steps. */
export const dying = (ports: Ports, steps: number): Ports =>
  stepwise(ports, async (step) => {
    if (step >= steps) throw new Error('killed')
  })

export type Visitor = Awaited<ReturnType<typeof newcomer>>

/** A world whose time the test moves on, somebody there who blocks, and what tests of registrations ask of it. */
export async function startRegistering() {
  let passed = 0
  const now = () => new Date(Date.now() + passed)
  const world = await startWorld({ web: false, now })
  const pass = (ms: number) => {
    passed += ms
  }
  return { world, now, pass, blocker: await world.member('Bea'), people: registering(world, now) }
}

function registering(world: World, now: () => Date) {
  const addressOf = ({ email }: Pick<Visitor, 'email'>) =>
    world.services.addresses.find(world.services.credentials.emailKey(email))
  const unfinished = () => createUnfinishedSweep({ ...world.product, now }).sweep()
  return {
    send: (ports: Ports, { signupToken, payload }: Visitor, dob: string = payload.dob) =>
      register(ports, { signupToken, payload: { ...payload, dob }, label: 'A' }),
    signIn: async ({ email }: Visitor) => (await logIn(world.context, { email, password: PASSWORD, label: 'A' })).ok,
    /** How much is kept of a member in any place of the services. */
    rowsOf: async ({ proof }: Visitor) =>
      (await world.services.erasure.look({ member: memberOfProof({ id: proof }), emailKey: null })).left,
    /** The id of the address, or null. */
    addressOf,
    /** Who has the address, registered or about to be. */
    holderOf: async (visitor: Visitor) => {
      const address = await addressOf(visitor)
      return address && (await world.context.loadState(emailDecider, address)).holder
    },
    /** Ends what is unfinished, alone. */
    unfinished,
    async sweep(): Promise<void> {
      for (const service of Object.values(sweepableOf(world.services))) await service.sweep()
      await unfinished()
      await createUnusedSweep({ ...world.product, now }).sweep()
      await createAddressSweep({ ...world.product, now }).sweep()
      await world.settled()
    },
    /** Accounts of a visitor that others may see or staff may find. */
    async accountsOf({ proof }: Visitor): Promise<number> {
      await world.settled()
      const member = memberOfProof({ id: proof })
      return (await world.read.selectFrom('account').select('member').where('member', '=', member).execute()).length
    },
  }
}

/** Somebody whom another blocked before, so that their registration has all of its steps. */
export async function blockedNewcomer(world: World, blocker: Person): Promise<Visitor> {
  const visitor = await newcomer(world)
  await world.services.keptBlocks.keep(world.services.credentials.emailKey(visitor.email), blocker.id)
  return visitor
}

/** A visitor whose registration died after so many steps. */
export async function interruptedAt(world: World, steps: number, visitor: Visitor): Promise<Visitor> {
  const { signupToken, payload } = visitor
  const died = register(dying(world.context, steps), { signupToken, payload, label: 'A' })
  await expect(died).rejects.toThrow('killed')
  await world.settled()
  return visitor
}
