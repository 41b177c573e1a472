import { memberDecider } from '../../../domain/identity/member.ts'
import { NAME_MAX } from '../../../domain/profile/limits.ts'
import { newcomer, PASSWORD } from '../../support/newcomers.ts'
import { turnOn } from '../../support/outside/authenticator.ts'
import type { World } from '../../support/world.ts'
import type { Details, Person } from '../../support/world-people.ts'

const OPORTO = { lat: 41.15, lng: -8.61 }
const LONG_NAME = 'Maximiliane-Wilhelmina'.padEnd(NAME_MAX, 'w')
const WORD_WITHOUT_END = 'https://example.com/'.padEnd(400, 'x')
const BIO = 'Bakes at dawn, reads on trains, and knows every bench with a view of the river. Ask me about bread.'
/** An id that nobody has. */
export const NOBODY = 'a'.repeat(24)

/**
 * Members in every situation that a page can show: `mia` looks at all of them, `lone` has nothing, `long` too much, `guarded`
 * a second factor.
 */
export async function gather(world: World) {
  const near = (name: string, details: Details = {}) =>
    world.join(name, { location: OPORTO, interests: ['Music', 'Foodie'], ...details })
  const mia = await near('Mia', { interests: ['Music', 'Travel'] })
  const [jon, lea, long] = [await near('Jon'), await near('Lea'), await near(LONG_NAME, { dob: '1961-02-03' })]
  const [gone, kay, left] = [await near('Gil'), await near('Kay'), await near('Yul')]
  const [buzzer, ...more] = [await near('Ned'), await near('Oda'), await near('Pep')]
  const lone = await world.join('Lone', {
    interestedIn: ['male'],
    preferences: { ageRange: [99, 100], distanceMiles: 5 },
  })
  const staff = await world.join('Ada')
  const modes = {
    locked: await near('Una', { visibilityMode: 'auto' }),
    preview: await near('Vic', { visibilityMode: 'limited' }),
    full: await near('Wim', { visibilityMode: 'full' }),
    hidden: await near('Xan', { visibilityMode: 'hidden' }),
  }
  const guarded = await world.join('Zoe')
  await turnOn(world.services, guarded.id)
  await world.settled()
  for (const other of [jon, lea, long, gone]) await world.match(mia, other)
  for (const other of [buzzer as Person, ...more]) await world.buzz(other, mia)
  await world.buzz(mia, modes.preview)
  await world.block(mia, kay)
  await writeMessages(world, mia, jon)
  await world.sendMessage(long, mia, WORD_WITHOUT_END)
  await world.sendMessage(mia, long, `${'One line after the other.\n'.repeat(12)}${WORD_WITHOUT_END}`)
  await world.sendMessage(gone, mia, 'I am leaving')
  await world.account(gone, 'EraseAccount')
  await world.account(left, 'Deactivate')
  for (const role of ['auditor', 'developer'] as const) {
    const command = { type: 'GrantRole', member: staff.id, role, by: 'admin:test', at: new Date() } as const
    await world.context.dispatch(memberDecider, command, { commandId: world.newCommand(), actor: 'admin:test' })
  }
  await describe(world, [mia, jon, modes.full], long)
  await world.settled()
  return { staff, guarded, mia, lone, jon, lea, long, gone, kay, left, buzzer: buzzer as Person, ...modes }
}
export type Cast = Awaited<ReturnType<typeof gather>>

/** More than a page of history, from both sides. */
async function writeMessages(world: World, mia: Person, jon: Person): Promise<void> {
  for (let number = 1; number <= 60; number++) {
    const [from, to] = number % 3 === 0 ? [jon, mia] : [mia, jon]
    await world.sendMessage(from, to, number % 7 === 0 ? `${number}: ${BIO}` : `Message ${number}`)
  }
}

async function describe(world: World, members: readonly Person[], long: Person): Promise<void> {
  const tastes = { hobbies: ['Sourdough'], likes: ['Rain'], dislikes: ['Queues'] }
  for (const member of members) await world.edit(member, { bio: BIO, city: 'Oporto', height: 172, ...tastes })
  const wide = ['W'.repeat(30), 'm'.repeat(30)]
  await world.edit(long, { bio: WORD_WITHOUT_END, city: 'Llanfair'.padEnd(80, 'w'), interests: wide, hobbies: wide })
}

/** The token of a visitor who has answered every step but the last. */
export async function registering(world: World): Promise<string> {
  const { signupToken } = await newcomer(world)
  const Cookie = `__Host-signup=${signupToken}`
  const basics = { firstName: 'Zoe', lastName: LONG_NAME, dob: '1991-02-03', gender: 'Female', lookingFor: 'serious' }
  const steps: Record<string, string>[] = [
    { ...basics, interestedIn: 'male', password: PASSWORD, confirm: PASSWORD },
    { ageMin: '20', ageMax: '44', distanceMiles: '120', visibilityMode: 'auto' },
    { interests: 'Music' },
    {},
    { phone: '+14155550123' },
  ]
  for (const [at, answers] of steps.entries()) {
    const body = new URLSearchParams({ ...answers, go: 'on' })
    const { status } = await world.page(`/register?step=${at + 1}`, { method: 'POST', body, headers: { Cookie } })
    if (status !== 302) throw new Error(`Step ${at + 1} was answered ${status}.`)
  }
  return signupToken
}
