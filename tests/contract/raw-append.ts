import { randomUUID } from 'node:crypto'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { credentials } from '@grpc/grpc-js'

type Properties = Record<string, string>
export type Proposed = { id?: string; properties?: Properties; data?: string }

/** What every event has beside its bytes. */
export const GOOD: Properties = { type: 'Noted', 'content-type': 'application/json' }

export const identifierOf = (stream: string) =>
  new sharedMessages.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(stream)))

/** The messages of a classic append of one event. */
export function rawMessages(stream: string, { id = randomUUID(), properties = {}, data = '' }: Proposed) {
  const name = identifierOf(stream)
  const options = new messages.AppendReq.Options().setStreamIdentifier(name).setAny(new sharedMessages.Empty())
  const event = new messages.AppendReq.ProposedMessage().setId(new sharedMessages.UUID().setString(id))
  event.setData(new Uint8Array(Buffer.from(data)))
  for (const [key, value] of Object.entries(properties)) event.getMetadataMap().set(key, value)
  return [new messages.AppendReq().setOptions(options), new messages.AppendReq().setProposedMessage(event)] as const
}

/** A classic append as no client of good manners sends it. */
export const rawAppend = (port: number, stream: string, proposed: Proposed) =>
  sendAppend(port, rawMessages(stream, proposed))

export function sendAppend(port: number, sent: readonly messages.AppendReq[]): Promise<messages.AppendResp> {
  const client = new streamsService.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  return new Promise<messages.AppendResp>((resolve, reject) => {
    const call = client.append((error, answer) => (error ? reject(error) : resolve(answer as messages.AppendResp)))
    call.on('error', () => {})
    for (const message of sent) call.write(message)
    call.end()
  }).finally(() => client.close())
}

/** Sets metadata with exactly these bytes. */
export const rawMetadata = (port: number, stream: string, data: string, contentType = 'application/json') =>
  rawAppend(port, `$$${stream}`, { properties: { type: '$metadata', 'content-type': contentType }, data })
