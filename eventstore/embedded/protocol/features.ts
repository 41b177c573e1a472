import { randomUUID } from 'node:crypto'
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js'
import type { handleUnaryCall } from '@grpc/grpc-js'
import { features, gossip, shared } from './definitions.ts'

/** The version whose protocol this server speaks. */
const SPOKEN_VERSION = '24.2.0'

const PERSISTENT = 'event_store.client.persistent_subscriptions.persistentsubscriptions'

/**
 * What the version has. Persistent subscriptions and projections are named although they are not offered: a client that does
 * not find them asks over HTTP, which this server does not speak, instead of hearing UNIMPLEMENTED.
 */
const METHODS: [service: string, method: string, features: string[]][] = [
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
  ['event_store.client.streams.streams', 'append', []],
  ['event_store.client.streams.streams', 'batchappend', []],
  ['event_store.client.streams.streams', 'delete', []],
  ['event_store.client.streams.streams', 'tombstone', []],
  ['event_store.client.gossip.gossip', 'read', []],
  ['event_store.client.projections.projections', 'create', ['track_emitted_streams']],
  ...['create', 'update', 'delete', 'read', 'getinfo', 'replayparked', 'list', 'restartsubsystem'].map(
    (method): [string, string, string[]] => [PERSISTENT, method, ['stream', 'all']],
  ),
]

/** ServerFeatures: how a client learns that it may append in batches. */
export const supportedMethodsHandler: handleUnaryCall<Empty, SupportedMethods> = (_call, answer) => {
  const methods = METHODS.map(([service, method, list]) =>
    new features.SupportedMethod().setServiceName(service).setMethodName(method).setFeaturesList(list),
  )
  answer(null, new features.SupportedMethods().setEventStoreServerVersion(SPOKEN_VERSION).setMethodsList(methods))
}

/**
 * Gossip: a cluster of one, which leads itself and can be reached where the client just did; a certificate holds for that
 * name. `address` is asked late, because the port is known after binding.
 */
export function gossipHandler(address: () => { host: string; port: number }): handleUnaryCall<Empty, ClusterInfo> {
  const instance = new shared.UUID().setString(randomUUID())
  return (call, answer) => {
    const { host, port } = reached(call.getHost()) ?? address()
    const member = new gossip.MemberInfo()
      .setInstanceId(instance)
      .setTimeStamp(String(Date.now()))
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port))
    answer(null, new gossip.ClusterInfo().setMembersList([member]))
  }
}

function reached(authority: string): { host: string; port: number } | undefined {
  const [, host, port] = /^(.+):(\d+)$/.exec(authority) ?? []
  return host && port ? { host, port: Number(port) } : undefined
}
