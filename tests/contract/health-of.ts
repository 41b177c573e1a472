import { credentials, makeGenericClientConstructor, type ServiceError } from '@grpc/grpc-js'
import { healthService } from '../../eventstore/embedded/protocol/health.ts'

/** gRPC health of the server at a port, as a load balancer asks for it. */
export function healthOf(port: number) {
  const Health = makeGenericClientConstructor(healthService, 'grpc.health.v1.Health')
  const client = new Health(`127.0.0.1:${port}`, credentials.createInsecure())
  const serving = (service = '') =>
    new Promise<boolean>((resolve, reject) =>
      client.check?.({ service }, (error: ServiceError | null, answer: { serving: boolean }) =>
        error ? reject(error) : resolve(answer.serving),
      ),
    )
  return { serving, close: () => client.close() }
}
