import { randomUUID } from 'node:crypto'
import { hours } from '../../../domain/shared/dates.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

/** `refused`: answers other than 200, each in words. */
export type ClockFigures = { messages: number; refused: string[]; lost: number; doubled: number; outOfOrder: number }

const JUMPS = [0, hours(1), -hours(1), 0]

/** The clock of the whole product jumps while two members write, read and sign in. */
export async function clockDrill({ messages }: { messages: number }): Promise<ClockFigures> {
  let offset = 0
  const world = await startWorld({ now: () => new Date(Date.now() + offset) })
  try {
    const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
    await world.match(ann, bea)
    await world.settled()
    const refused: string[] = []
    const sent: string[] = []
    for (const jump of JUMPS) {
      offset = jump
      for (let n = 0; n < messages; n++) sent.push(await sendMessage(world, n % 2 ? [ann, bea] : [bea, ann], refused))
      await signIn(world, ann, refused)
    }
    return { messages: sent.length, refused, ...(await compare(world, ann, bea, sent)) }
  } finally {
    await world.stop()
  }
}

async function sendMessage(world: World, [from, to]: readonly [Person, Person], refused: string[]): Promise<string> {
  const id = randomUUID()
  const body = JSON.stringify({ id, text: `word ${id}` })
  const answer = await world.api(`/chat/${to.id}/messages`, { as: from, method: 'POST', body })
  if (!answer.ok) refused.push(`message: ${answer.status} ${await answer.text()}`)
  return id
}

async function signIn(world: World, { email, password }: Person, refused: string[]): Promise<void> {
  const answer = await world.api('/auth/login', { method: 'POST', body: JSON.stringify({ email, password }) })
  if (!answer.ok) refused.push(`login: ${answer.status} ${await answer.text()}`)
}

async function compare(world: World, me: Person, other: Person, sent: readonly string[]) {
  await world.settled()
  const answer = await world.api(`/chat/${other.id}/messages?limit=50`, { as: me })
  const shown = ((await answer.json()) as { messages: { id: string }[] }).messages.map(({ id }) => id).reverse()
  const wanted = sent.slice(-shown.length)
  return {
    lost: sent.filter((id) => !shown.includes(id)).length,
    doubled: shown.length - new Set(shown).size,
    outOfOrder: shown.filter((id, at) => id !== wanted[at]).length,
  }
}
