import type { TurnRules, Turns } from '../../../services/media/workers/turns.ts'
import type { InTurn } from '../../../services/queue.ts'
import { type Channel, NoAnswer } from '../channel.ts'

/** `expectedMs`: of a file. */
type Wanted = { readonly id: number; readonly line: string; readonly expectedMs?: number | undefined }

/** Runs the task when it is its line's turn; resolves without it where it never is. Whoever has left waits for none. */
type GiveTurn = (task: () => Promise<void>, line: string, rules: TurnRules) => Promise<unknown>

/** `spentMs`: of a file, where it is known. */
type Ended = { readonly id: number; readonly spentMs?: number | undefined }

/** Asks the primary for turns. `begin` resolves with what ends the turn, or null where there is none, or `left` has ended. */
function createTurnTaker(channel: Channel, topic: string) {
  let last = 0
  return async function begin(
    line: string,
    { left, expectedMs, spentMs }: TurnRules = {},
  ): Promise<(() => void) | null> {
    if (left?.aborted) return null
    const id = ++last
    const end = () => channel.note(`${topic}: end`, { id, spentMs: spentMs?.() } satisfies Ended)
    left?.addEventListener('abort', end, { once: true })
    try {
      const begins = await channel.ask<boolean>(`${topic}: begin`, { id, line, expectedMs } satisfies Wanted)
      return begins ? end : null
    } finally {
      left?.removeEventListener('abort', end)
    }
  }
}

const NO_ANSWER: unique symbol = Symbol('no answer')
const orNoAnswer = <T>(asked: Promise<T>): Promise<T | typeof NO_ANSWER> =>
  asked.catch((error: unknown) => {
    if (error instanceof NoAnswer) return NO_ANSWER
    throw error
  })

/** The turns that all workers take together. Without an answer a task fails, or has its turn `alone`. */
export function turnsOf(channel: Channel, topic: string, alone?: InTurn): InTurn {
  const begin = createTurnTaker(channel, topic)
  return async (task, line = '') => {
    const end = alone ? await orNoAnswer(begin(line)) : await begin(line)
    if (end === NO_ANSWER) return alone!(task, line)
    try {
      return await task()
    } finally {
      end?.()
    }
  }
}

/** The same for files that are parsed, of which some never have their turn. */
export function mediaTurnsOf(channel: Channel, topic: string, alone?: Turns): Turns {
  const begin = createTurnTaker(channel, topic)
  let closed = false
  return {
    async inTurn(uploader, work, rules = {}) {
      const end = closed ? null : await orNoAnswer(begin(uploader, rules))
      if (end === NO_ANSWER) return alone ? alone.inTurn(uploader, work, rules) : null
      if (!end) return null
      try {
        return closed || rules.left?.aborted ? null : await work()
      } finally {
        end()
      }
    },
    charge(uploader, ms) {
      alone?.charge(uploader, ms)
      channel.note(`${topic}: charge`, { uploader, ms } satisfies Charge)
    },
    close() {
      closed = true
      alone?.close()
    },
  }
}

type Charge = { readonly uploader: string; readonly ms: number }

/** The same of files: what they are charged counts for all workers. */
export function serveMediaTurns(channel: Channel, topic: string, turns: Turns): () => void {
  channel.on(`${topic}: charge`, ({ uploader, ms }: Charge) => turns.charge(uploader, ms))
  return serveTurns(channel, topic, (task, uploader, rules) => turns.inTurn(uploader, task, rules))
}

/** Gives a worker turns among all others. Those that it had when it died have ended. */
export function serveTurns(channel: Channel, topic: string, giveTurn: GiveTurn): () => void {
  const ends = new Map<number, (spentMs?: number) => void>()
  const waiting = new Map<number, AbortController>()
  const end = ({ id, spentMs }: Ended) => {
    waiting.get(id)?.abort()
    ends.get(id)?.(spentMs)
    ends.delete(id)
  }
  channel.on(`${topic}: end`, end)
  channel.on(`${topic}: begin`, ({ id, line, expectedMs }: Wanted) => {
    const left = new AbortController()
    waiting.set(id, left)
    return new Promise<boolean>((answer) => {
      let spent: number | undefined
      const turn = () =>
        new Promise<void>((over) => {
          waiting.delete(id)
          if (left.signal.aborted) return over()
          ends.set(id, (spentMs) => {
            spent = spentMs
            over()
          })
          answer(true)
        })
      const never = () => {
        waiting.delete(id)
        answer(false)
      }
      giveTurn(turn, line, { left: left.signal, expectedMs, spentMs: () => spent }).then(never, never)
    })
  })
  return () => {
    for (const id of [...waiting.keys(), ...ends.keys()]) end({ id })
  }
}
