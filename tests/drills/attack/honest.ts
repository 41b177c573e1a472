import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, type From } from '../network.ts'
import type { Caller } from '../program-people.ts'

/** A member at home: an address that no attacker has. */
export type Neighbour = Caller & { readonly address: string; readonly other: string }
/** Milliseconds of each answer, and what was no answer that a member should get. */
export type Felt = { readonly ms: number[]; readonly wrong: string[] }

const EVERY_MS = 400

/** Members who read pages and write to each other, each about twice a second, until stopped. */
export async function liveBeside(url: string, people: readonly Neighbour[], stopped: () => boolean): Promise<Felt> {
  const felt: Felt = { ms: [], wrong: [] }
  await Promise.all(
    people.map(async (one, at) => {
      await pause((EVERY_MS * at) / people.length)
      for (let turn = at; !stopped(); turn++) {
        const startedAt = performance.now()
        await lookOrWrite(url, one, turn).then(
          (problem) => problem && felt.wrong.push(problem),
          (error: Error) => felt.wrong.push(error.message),
        )
        const took = performance.now() - startedAt
        felt.ms.push(took)
        await pause(Math.max(0, EVERY_MS - took))
      }
    }),
  )
  return felt
}

async function lookOrWrite(url: string, { address, token, other }: Neighbour, turn: number): Promise<string | null> {
  const from: From = { address, token }
  const writes = turn % 4 === 0
  const path = writes ? `/api/chat/${other}/messages` : `/api${CALLS[turn % CALLS.length]}`
  const body = JSON.stringify({ id: randomUUID(), text: `word ${turn}` })
  const asked = writes ? { headers: { 'Content-Type': 'application/json' }, body } : {}
  const { status, text } = await ask(url + path, from, asked)
  return status === 200 ? null : `${path} ${status} ${text.slice(0, 80)}`
}

const CALLS = ['/matches', '/users/me', '/notifications'] as const

/** The value below which this share of them lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
