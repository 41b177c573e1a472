import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { type Server, ServerCredentials } from '@grpc/grpc-js'
import type { LogUser } from './protocol/access.ts'

/** PEM files. `caFile` is what clients trust; without it the certificate vouches for itself. */
export type LogTls = { certFile: string; keyFile: string; caFile?: string }

/** Where a server listens and how one gets in. */
export type ListenOptions = {
  host: string
  port: number
  tls?: LogTls | undefined
  users?: readonly LogUser[] | undefined
  secret?: string | undefined
}

/** Binds the port and answers its number; the message states what is wrong with the port or the certificate. */
export function listen(server: Server, options: ListenOptions): Promise<number> {
  const { host, port, tls } = options
  const credentials = tls ? certified(tls) : ServerCredentials.createInsecure()
  return new Promise((done, fail) => {
    const failed = (error: unknown) => fail(cannotListen(options, error))
    try {
      server.bindAsync(`${host}:${port}`, credentials, (error, bound) => (error ? failed(error) : done(bound)))
    } catch (error) {
      failed(error)
    }
  })
}

export const cannotListen = ({ host, port }: Pick<ListenOptions, 'host' | 'port'>, error: unknown): Error =>
  new Error(`The log server cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}`)

/** For connections that another process accepts; the message states what is wrong with the certificate. */
export function taking(server: Server, options: ListenOptions): (socket: Socket) => void {
  const { tls } = options
  try {
    const injector = server.createConnectionInjector(tls ? certified(tls) : ServerCredentials.createInsecure())
    return (socket) => injector.injectConnection(socket)
  } catch (error) {
    throw cannotListen(options, error)
  }
}

/** What the official client takes: with the first user's name and password, where there are users, else with the secret. */
export function connectionStringOf({ host, port, tls, users = [], secret }: ListenOptions): string {
  const [user] = users
  const address = addressOf({ host, port, tls })
  if (user) return `esdb://${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@${address}`
  return `esdb://${address}${secret === undefined ? '' : `&connectionName=${encodeURIComponent(secret)}`}`
}

/** The same for people to read: whoever may get in knows how. */
export function addressOf({ host, port, tls }: ListenOptions): string {
  const reachable = /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host
  if (!tls) return `${reachable}:${port}?tls=false`
  return `${reachable}:${port}?tls=true&tlsCAFile=${encodeURIComponent(resolve(tls.caFile ?? tls.certFile))}`
}

function certified({ certFile, keyFile }: LogTls): ServerCredentials {
  const pair = { cert_chain: contentOf(certFile, 'certificate'), private_key: contentOf(keyFile, 'key') }
  return ServerCredentials.createSsl(null, [pair], false)
}

function contentOf(file: string, what: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new Error(`The log server cannot read its ${what} ${file}.`, { cause })
  }
}
