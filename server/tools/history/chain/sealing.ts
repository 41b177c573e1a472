import { type ChainDeps, type Extended, extendChain } from '../../../../eventstore/chain/extend.ts'
import { errorFields, type Logger } from '../../../../services/log.ts'

const EVERY_MS = 60_000
const DAY_MS = 86_400_000
/** Behind midnight, so that the day is over by every clock that agrees to a second. */
const AFTER_MIDNIGHT_MS = 1_000

export type Sealing = { stop(): Promise<void> }
type SealingDeps = Omit<ChainDeps, 'signal'> & { readonly logger: Logger; readonly everyMs?: number }

/**
 * Seals new events once a minute, and signs a day as soon as it is over. Each signed head is a line of the program's
 * log too, so that a copy of it leaves the database. Any number of processes may do this.
 */
export function startSealing({ logger, everyMs = EVERY_MS, ...chain }: SealingDeps): Sealing {
  const stopped = new AbortController()
  const { signal } = stopped
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let logged: Extended['state'] = 'sealed'

  async function seal(): Promise<void> {
    try {
      const { state, days } = await extendChain({ ...chain, signal })
      for (const { day, head, last, events } of days) {
        const fields = { kind: 'chain', name: `${day} ${head.toString('hex')}`, position: String(last), count: events }
        logger.info('The log is sealed up to the end of a day.', fields)
      }
      if (state !== logged && state !== 'sealed') logger.error(WORDS[state], { kind: 'chain' })
      logged = state
    } catch (error) {
      if (!signal.aborted) logger.warn('New events could not be sealed.', { kind: 'chain', ...errorFields(error) })
    }
  }

  function plan(): void {
    const now = chain.now().getTime()
    const untilMidnight = DAY_MS - (now % DAY_MS) + AFTER_MIDNIGHT_MS
    timer = setTimeout(
      () => {
        running = seal().then(() => {
          if (!signal.aborted) plan()
        })
      },
      Math.min(everyMs, untilMidnight),
    )
    timer.unref()
  }

  plan()
  return {
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await running
    },
  }
}

const WORDS = {
  behind: 'The log ends before its last sealed event: run "history -- verify".',
  broken: 'The last head of the chain was altered: run "history -- verify".',
} as const
