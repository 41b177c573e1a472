import { randomUUID } from 'node:crypto'
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js'
import type { handleUnaryCall } from '@grpc/grpc-js'
import { features, gossip, shared } from './definitions.ts'

/** The version whose protocol this server speaks. */
const SPOKEN_VERSION = '24.2.0'

const METHODS: [service: string, method: string, features: string[]][] = [
  ['event_store.client.streams.streams', 'read', ['position', 'events']],
  ['event_store.client.streams.streams', 'append', []],
  ['event_store.client.streams.streams', 'batchappend', []],
  ['event_store.client.streams.streams', 'delete', []],
  ['event_store.client.streams.streams', 'tombstone', []],
  ['event_store.client.gossip.gossip', 'read', []],
]

/** ServerFeatures: how a client learns that it may append in batches. */
export const supportedMethodsHandler: handleUnaryCall<Empty, SupportedMethods> = (_call, answer) => {
  const methods = METHODS.map(([service, method, list]) =>
    new features.SupportedMethod().setServiceName(service).setMethodName(method).setFeaturesList(list),
  )
  answer(null, new features.SupportedMethods().setEventStoreServerVersion(SPOKEN_VERSION).setMethodsList(methods))
}

/** Gossip: a cluster of one, which leads itself. `address` is asked late, because the port is known after binding. */
export function gossipHandler(address: () => { host: string; port: number }): handleUnaryCall<Empty, ClusterInfo> {
  const instance = new shared.UUID().setString(randomUUID())
  return (_call, answer) => {
    const { host, port } = address()
    const member = new gossip.MemberInfo()
      .setInstanceId(instance)
      .setTimeStamp(String(Date.now()))
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port))
    answer(null, new gossip.ClusterInfo().setMembersList([member]))
  }
}
