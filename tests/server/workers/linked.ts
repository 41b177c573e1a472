import { Channel, type Port } from '../../../server/workers/channel.ts'
import { createSharing, type Shared, type Sharing, sharedOver } from '../../../server/workers/shared/shared.ts'

/** Two ends of one channel in this process; what passes is JSON, as between processes. */
export function linked(): [Channel, Channel] {
  const heard: ((message: unknown) => void)[][] = [[], []]
  const port = (own: 0 | 1): Port => ({
    send: (message) => {
      const text = JSON.stringify(message)
      setImmediate(() => {
        for (const listener of heard[1 - own]!) listener(JSON.parse(text))
      })
    },
    listen: (listener) => void heard[own]!.push(listener),
  })
  return [new Channel(port(0)), new Channel(port(1))]
}

/** What one worker of a primary has; `die` is what its primary sees when it ends. */
export type LinkedWorker = Shared & { readonly channel: Channel; die(): void }

/** Workers of one primary, without processes. */
export function startLinked(sharing: Sharing = createSharing()) {
  return {
    sharing,
    worker(): LinkedWorker {
      const [own, primarys] = linked()
      const end = sharing.serve(primarys)
      const die = () => {
        primarys.close()
        end()
      }
      return { ...sharedOver(own), channel: own, die }
    },
  }
}

/** All notes that were sent have arrived. */
export async function delivered({ channel }: LinkedWorker): Promise<void> {
  await channel.ask('nothing', null)
}
