import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { credentials } from '@grpc/grpc-js'
import { identifierOf } from './raw-append.ts'

export type ReadOptions = InstanceType<typeof messages.ReadReq.Options>
const { Options } = messages.ReadReq
export const empty = () => new sharedMessages.Empty()

/** A read forwards without a filter; whoever wants another sets it. */
const options = (): ReadOptions =>
  new Options()
    .setUuidOption(new Options.UUIDOption().setString(empty()))
    .setCount('1000')
    .setNoFilter(empty())
    .setReadDirection(Options.ReadDirection.FORWARDS)

export const ofAll = (): ReadOptions => options().setAll(new Options.AllOptions().setStart(empty()))

export const ofStream = (stream: string, from?: number): ReadOptions => {
  const asked = new Options.StreamOptions().setStreamIdentifier(identifierOf(stream))
  return options().setStream(from === undefined ? asked.setStart(empty()) : asked.setRevision(String(from)))
}

/** Streams whose names begin so, with a search window where one is given. */
export function filterOf(prefix: string, window?: number) {
  const expression = new Options.FilterOptions.Expression().setPrefixList([prefix])
  const filter = new Options.FilterOptions().setStreamIdentifier(expression).setCheckpointintervalmultiplier(1)
  return window === undefined ? filter.setCount(empty()) : filter.setMax(window)
}

/** All answers of a read that ends by itself, as they come over the wire; of a subscription the first. */
export function rawRead(port: number, asked: ReadOptions): Promise<messages.ReadResp[]> {
  const client = new streamsService.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  const seen: messages.ReadResp[] = []
  return new Promise<messages.ReadResp[]>((resolve, reject) => {
    const call = client.read(new messages.ReadReq().setOptions(asked))
    call.on('data', (answer: messages.ReadResp) => {
      seen.push(answer)
      if (!answer.hasConfirmation()) return
      resolve(seen)
      call.cancel()
    })
    call.on('end', () => resolve(seen)).on('error', reject)
  }).finally(() => client.close())
}

export const revisionsOf = (answers: messages.ReadResp[]): number[] =>
  answers.flatMap((answer) => {
    const revision = answer.getEvent()?.getEvent()?.getStreamRevision()
    return revision === undefined ? [] : [Number(revision)]
  })
