import type { handleUnaryCall, ServiceDefinition } from '@grpc/grpc-js'

/** `grpc.health.v1.Health`, as load balancers ask for it. Its two messages are one field each, so they are read by hand. */
type Asked = { service: string }
type Answer = { serving: boolean }

const SERVICE_FIELD = 0x0a
const STATUS_FIELD = 0x08
const SERVING = 1
const NOT_SERVING = 2

export const healthService = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: ({ service }: Asked): Buffer =>
      Buffer.concat([Buffer.from([SERVICE_FIELD, service.length]), Buffer.from(service)]),
    requestDeserialize: (bytes: Buffer): Asked => ({
      service: bytes[0] === SERVICE_FIELD ? bytes.subarray(2).toString() : '',
    }),
    responseSerialize: ({ serving }: Answer): Buffer => Buffer.from([STATUS_FIELD, serving ? SERVING : NOT_SERVING]),
    responseDeserialize: (bytes: Buffer): Answer => ({ serving: bytes[1] === SERVING }),
  },
} satisfies ServiceDefinition

/** Serving means that the log can be written. Every service of the server is as well as the server. */
export const healthHandler =
  (alive: () => Promise<boolean>): handleUnaryCall<Asked, Answer> =>
  (_call, answer) =>
    void alive().then((serving) => answer(null, { serving }))
