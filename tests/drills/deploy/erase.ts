import { pairIdOf } from '../../../domain/shared/ids.ts'
import { createCodec } from '../../../eventstore/codec.ts'
import { createKeyRing } from '../../../eventstore/keys.ts'
import { erasingOf } from '../../../server/tools/erasure/erasing.ts'
import { eraseAccount } from '../../../usecases/identity/erase-account.ts'
import { ErasureIncomplete } from '../../../usecases/identity/finish-erasure.ts'
import type { Canaries } from '../../server/erasure/canaries.ts'
import { dumpOf, findIn } from '../../server/erasure/places.ts'
import { eventsOf } from '../../support/events-of-log.ts'
import { messageId } from '../../support/people.ts'
import { until } from '../../support/until.ts'
import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'
import { type Rig, resumeHistories } from './deploy-kill.ts'
import { poisonStream, type Written } from './load.ts'

const CERTIFIED_MS = 60_000
const AT = new Date('2026-03-02T00:00:00Z')

/** In the member's own stream and in that with her friend. */
export async function poisonHers(to: Written, release: number, who: Person, friend: Person, canaries: Canaries) {
  const bio = () => ({ type: 'BioChanged' as const, member: who.id, bio: canaries.word(), at: AT })
  const message = (number: number) => ({
    type: 'MessageSent' as const,
    message: messageId(`m-${canaries.word()}`),
    number,
    from: who.id,
    to: friend.id,
    text: canaries.word(),
    media: null,
    at: AT,
  })
  await poisonStream(to, release, `profile-${who.id}`, [bio(), bio()])
  await poisonStream(to, release, `pair-${pairIdOf(who.id, friend.id)}`, [
    message(100 + 2 * release),
    message(101 + 2 * release),
  ])
}

/** Nothing is certified while a read model is paused; then everything goes, in whichever tables it is. */
export async function eraseAmongReleases(rig: Rig, who: Person, canaries: Canaries): Promise<void> {
  const { world, pool, fleet, to, result } = rig
  const before = findIn(await everything(world), canaries.words())
  if (before.length === 0) throw new Error('The member has left no word anywhere.')
  const erasing = erasingOf({ ...world.product, now: () => new Date() }, 'admin:drill')
  // Answers whether it is through: what is behind is asked for again.
  const tried = () =>
    eraseAccount(erasing, who.id).then(
      ({ ok }) => ok,
      (error: unknown) => {
        if (error instanceof ErasureIncomplete) return false
        throw error
      },
    )
  if (await tried()) result.early++
  await fleet.killHolder()
  if (await tried()) result.early++
  result.early += await certificatesOf(world, who)
  await resumeHistories(rig)
  await until('the erasure is through', tried, CERTIFIED_MS)
  result.certificates = await certificatesOf(world, who)
  result.canaries = canaries.words().length
  const codec = createCodec(createKeyRing(pool, world.secrets.masterKey))
  const readable: object[] = []
  // The evidence of a case outlives its writer for 180 days (decision 0044).
  for await (const event of eventsOf(to.log, codec))
    readable.push('evidence' in event ? { ...event, evidence: null } : event)
  const places = new Map([...(await everything(world)), ['the log', Buffer.from(JSON.stringify(readable))]])
  result.found = findIn(places, canaries.words())
}

const everything = async (world: World) =>
  new Map([...(await dumpOf(world.stores.database)), ...(await dumpOf(world.logDatabase))])

const certificatesOf = async ({ core }: World, { id }: Person) =>
  (await core.log.read(`member-${id}`)).filter(({ type }) => type === 'ErasureCertified').length
