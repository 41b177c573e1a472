import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client'
import { type Scavenged, scavenge } from '../../../eventstore/embedded/storage/scavenge.ts'
import type { Config } from '../../config.ts'
import { requireProduct, withParts } from '../../tools/cli/support/attach.ts'
import { progressBar } from '../../tools/cli/support/progress.ts'

/** Where the log itself keeps account of what was taken out of it. */
const SCAVENGES = '$scavenges'

/** Takes what nobody sees any more out of the embedded log, beside a running server, and answers what that was in words. */
export async function scavengeLog(config: Config, dryRun: boolean): Promise<string> {
  requireProduct(config)
  return withParts({ need: ['postgres', 'log'], config }, async ({ postgres, log }) => {
    const bar = progressBar({ what: 'Scavenging', total: 0, unit: 'streams' })
    const taken = await scavenge({ database: postgres.log, dryRun, progress: (done, total) => bar.at(done, total) })
    bar.end()
    if (taken.events && !dryRun) await record(log, taken)
    return summary(taken, dryRun)
  })
}

/** An event that records how much is gone, so that a gap in the log has a reason in the log. */
async function record(connectionString: string, taken: Scavenged): Promise<void> {
  const client = EventStoreDBClient.connectionString(connectionString)
  try {
    await client.appendToStream(SCAVENGES, jsonEvent({ type: '$scavengeCompleted', data: taken }))
  } finally {
    await client.dispose()
  }
}

function summary({ streams, events, bytes }: Scavenged, dryRun: boolean): string {
  if (!events) return 'Nothing to take away: every stored event can be seen.'
  const what = `${events} ${events === 1 ? 'event' : 'events'} of ${streams} ${streams === 1 ? 'stream' : 'streams'}`
  return `${what}, ${(bytes / 1024).toFixed(1)} KiB of payload, ${dryRun ? 'would go' : 'are gone'}.`
}
