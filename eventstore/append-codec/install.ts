import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import type { CallOptions, Client, Metadata } from '@grpc/grpc-js'
import { answerFrom } from './answer.ts'
import { measure, requestBytes } from './request.ts'

let installed = false

/**
 * Puts a codec of BatchAppend written by hand under the official client, for all clients of this process, because every
 * append passes it. Its bytes are those of the generated code.
 */
export function installAppendCodec(): void {
  if (installed) return
  installed = true
  const { path } = streamsService.StreamsService.batchAppend
  const client = streamsService.StreamsClient.prototype as { batchAppend: unknown }
  client.batchAppend = function (this: Client, metadata: Metadata, options: CallOptions) {
    return this.makeBidiStreamRequest(path, requestBytes, answerFrom, metadata, options)
  }
  const { prototype } = messages.BatchAppendReq.ProposedMessage
  const generated = prototype.serializeBinary
  prototype.serializeBinary = function () {
    return measure(this) ?? generated.call(this)
  }
}
