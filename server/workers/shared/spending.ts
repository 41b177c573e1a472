import type { Spending } from '../../../services/limits/spending.ts'
import type { Channel } from '../channel.ts'

type Spent = readonly (readonly [key: string, amount: number])[]

/** What one worker uses up the others know after so long. */
const EVERY_MS = 50

/** Notes of what was used up go by the primary to all other workers. */
export function spendingOf(channel: Channel, topic: string): Spending {
  const unsent = new Map<string, number>()
  const flush = () => {
    channel.note(topic, [...unsent] satisfies Spent)
    unsent.clear()
  }
  return {
    note(key, amount) {
      if (amount === 0) return
      if (unsent.size === 0) setTimeout(flush, EVERY_MS).unref()
      unsent.set(key, (unsent.get(key) ?? 0) + amount)
    },
    hear: (spent) =>
      channel.on(topic, (all: Spent) => {
        for (const [key, amount] of all) spent(key, amount)
      }),
  }
}

/** Passes on what each worker notes. */
export function createSpendingRelay(topic: string): (channel: Channel) => () => void {
  const channels = new Set<Channel>()
  return (channel) => {
    channels.add(channel)
    channel.on(topic, (spent: Spent) => {
      for (const other of channels) if (other !== channel) other.note(topic, spent)
    })
    return () => void channels.delete(channel)
  }
}
