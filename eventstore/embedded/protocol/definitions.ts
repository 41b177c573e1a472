import { boundLengths } from './bounded-reader.ts'

/** The message and service definitions of EventStoreDB, as the client package ships them. Every other file takes them from here. */
export { default as codes } from '@eventstore/db-client/generated/code_pb.js'
export { default as gossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js'
export { default as gossip } from '@eventstore/db-client/generated/gossip_pb.js'
export { default as featuresService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
export { default as features } from '@eventstore/db-client/generated/serverfeatures_pb.js'
export { default as shared } from '@eventstore/db-client/generated/shared_pb.js'
export { default as statuses } from '@eventstore/db-client/generated/status_pb.js'
export { default as streamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js'
export { default as streams } from '@eventstore/db-client/generated/streams_pb.js'
export { default as protoAny } from 'google-protobuf/google/protobuf/any_pb.js'
export { default as protoEmpty } from 'google-protobuf/google/protobuf/empty_pb.js'

boundLengths()
