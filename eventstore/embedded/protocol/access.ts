import { createHash, timingSafeEqual } from 'node:crypto'
import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { rpcError } from './errors.ts'

/**
 * Whom the server lets in. Each of them may do everything, as EventStoreDB's `$admins` may, whatever a stream's `$acl`
 * states.
 */
export type LogUser = { name: string; password: string }

/** What a client asks before it sends a name, and what watches over the server. */
const OPEN_TO_ALL = /^\/(event_store\.client\.(gossip|server_features)|grpc\.health\.v1)\./

/** Answers a refusal, or undefined for a call that may go on. */
export type Guard = (path: string, metadata: Metadata) => ServiceError | undefined

/** Lets only users in, with the name and password of HTTP's basic scheme. */
export function guardOf(users: readonly LogUser[]): Guard {
  const known = users.map(({ name, password }) => digestOf(`${name}:${password}`))
  return (path, metadata) => {
    if (OPEN_TO_ALL.test(path)) return undefined
    const [given] = metadata.get('authorization')
    if (given === undefined) {
      return rpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })
    }
    const encoded = /^Basic (.+)$/i.exec(String(given))?.[1] ?? ''
    const digest = digestOf(Buffer.from(encoded, 'base64').toString('utf8'))
    // Every user is compared with, so that the time taken does not reveal which name exists.
    const matches = known.filter((one) => timingSafeEqual(one, digest))
    return matches.length ? undefined : rpcError(status.UNAUTHENTICATED, 'Wrong name or password')
  }
}

/**
 * Lets only those in who know the secret. They send it as the name of their connection, which the official client sends
 * with every call, over a plain connection too; names and passwords it sends over TLS alone.
 */
export function secretGuardOf(secret: string): Guard {
  const known = digestOf(secret)
  return (path, metadata) => {
    if (OPEN_TO_ALL.test(path)) return undefined
    const given = metadata.get('connection-name').map((value) => digestOf(String(value)))
    if (given.length === 1 && timingSafeEqual(given[0]!, known)) return undefined
    return rpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' })
  }
}

/** Puts a guard in front of every call of a server. */
export const guarded =
  (guard: Guard): ServerInterceptor =>
  ({ path }, call) =>
    new ServerInterceptingCall(call, {
      start: (next) => {
        const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, goOn) => {
          const refusal = guard(path, metadata)
          if (refusal) call.sendStatus({ code: refusal.code, details: refusal.details, metadata: refusal.metadata })
          else goOn(metadata)
        })
        next(listener.build())
      },
    })

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
