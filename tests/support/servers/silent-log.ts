import {
  Server,
  ServerCredentials,
  type ServerWritableStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { streamsService } from '../../../eventstore/embedded/protocol/definitions.ts'

/** A log server that takes reads and answers nothing, and counts those that are open. */
export async function silentServer() {
  const open = new Set<object>()
  const server = new Server()
  let taken = 0
  const read = (call: ServerWritableStream<unknown, unknown>) => {
    taken++
    open.add(call)
    call.on('cancelled', () => open.delete(call))
  }
  const service = streamsService.StreamsService as unknown as ServiceDefinition
  server.addService(service, { read } as unknown as UntypedServiceImplementation)
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  return {
    connectionString: `esdb://127.0.0.1:${port}?tls=false`,
    open,
    taken: () => taken,
    stop: () => server.forceShutdown(),
  }
}
export type SilentServer = Awaited<ReturnType<typeof silentServer>>
