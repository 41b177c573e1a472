import { randomUUID } from 'node:crypto'
import { type Caller, call, signUpMany } from '../program-people.ts'
import type { Neighbour } from './honest.ts'
import { KINDS } from './kinds.ts'
import type { Absent } from './target.ts'

const NEIGHBOURS = 4
/** As many networks as attackers. */
const NETWORKS = 20
const ABSENT = 4
const MESSAGES = 30
/** As long as a message may be, of four bytes each. */
const LONG = '🐝'.repeat(4_000)

/** Who attacks in one round: nobody was seen in a round before, so that no limit of it is left. */
export type Attackers = {
  readonly addresses: readonly string[]
  readonly tokens: readonly string[]
  readonly absent: readonly Absent[]
}
type People = { readonly neighbours: readonly Neighbour[]; readonly attackers: Attackers[] }

/** Signed up at a program that counts no rates: members beside, and attackers for each round, given as names of ways. */
export async function makePeople(url: string, rounds: readonly (readonly string[])[], each: number): Promise<People> {
  const needing = rounds.filter(needsSessions).length
  const all = await signUpMany(url, NEIGHBOURS + needing * each)
  const neighbours = await matched(url, all.splice(0, NEIGHBOURS))
  const attackers: Attackers[] = []
  for (const [round, names] of rounds.entries()) {
    const some = needsSessions(names) ? all.splice(0, each) : []
    const absent = names.some((name) => KINDS[name]?.matched) ? await keepAway(url, some.slice(0, ABSENT)) : []
    attackers.push({ addresses: addressesOf(round), tokens: some.map(({ token }) => token), absent })
  }
  return { neighbours: neighbours.map((one, at) => ({ ...one, address: `127.0.1.${at + 1}` })), attackers }
}

const needsSessions = (names: readonly string[]) => names.some((name) => KINDS[name]?.signedIn)

/** Of a round; those of the neighbours are others. */
const addressesOf = (round: number) => Array.from({ length: NETWORKS }, (_, at) => `127.0.${2 + round}.${at + 1}`)

type Matched = Caller & { readonly other: string; readonly last: string }

/** Each two of them, in the order they are in. `last`: where the log was when they had matched. */
async function matched(url: string, people: readonly Caller[]): Promise<Matched[]> {
  const pairs = people.map((one, at) => ({ one, other: people[at ^ 1] as Caller }))
  const positions: string[] = []
  for (const { one, other } of pairs) positions.push(await like(url, one, other))
  return pairs.map(({ one, other }, at) => ({ ...one, other: other.id, last: positions[at | 1] as string }))
}

/** The position of it in the log. */
async function like(url: string, { token }: Caller, { id }: Caller): Promise<string> {
  const answer = await call(url, '/likes', { token, body: { to: id } })
  if (!answer.ok) throw new Error(`A like was refused: ${await answer.text()}`)
  return answer.headers.get('X-Log-Position') as string
}

/** Members who have not looked since they matched, and were sent half a megabyte since. */
async function keepAway(url: string, people: readonly Caller[]): Promise<Absent[]> {
  const pairs = await matched(url, people)
  for (const { token, other } of pairs.filter((_, at) => at % 2 === 0))
    for (let sent = 0; sent < MESSAGES; sent++) await write(url, token, other)
  return pairs.map(({ id, token, other, last }) => ({ id, token, other, last }))
}

async function write(url: string, token: string, to: string): Promise<void> {
  const answer = await call(url, `/chat/${to}/messages`, { token, body: { id: randomUUID(), text: LONG } })
  if (!answer.ok) throw new Error(`A message was refused: ${await answer.text()}`)
}
