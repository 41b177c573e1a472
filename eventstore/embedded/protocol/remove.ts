import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js'
import type { EventLog } from '../event-log.ts'
import { streams } from './definitions.ts'
import { invalidArgument, refusedWrite } from './errors.ts'
import type { OpenCalls } from './open-calls.ts'
import { expectedRevisionOf, streamNameOf } from './requests.ts'

/** Delete: the stream reads as absent and may be written again. */
export function deleteHandler(log: EventLog, calls: OpenCalls): handleUnaryCall<DeleteReq, DeleteResp> {
  return (call, answer) => {
    const reply = calls.answering(call, answer)
    remove(log, 'delete', call).then((at) => {
      const position = new streams.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at)
      reply.give(new streams.DeleteResp().setPosition(position))
    }, reply.fail)
  }
}

/** Tombstone: the stream ends for ever. */
export function tombstoneHandler(log: EventLog, calls: OpenCalls): handleUnaryCall<TombstoneReq, TombstoneResp> {
  return (call, answer) => {
    const reply = calls.answering(call, answer)
    remove(log, 'tombstone', call).then((at) => {
      const position = new streams.TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at)
      reply.give(new streams.TombstoneResp().setPosition(position))
    }, reply.fail)
  }
}

type Call = ServerUnaryCall<DeleteReq | TombstoneReq, unknown>

async function remove(log: EventLog, kind: 'delete' | 'tombstone', call: Call): Promise<string> {
  const options = call.request.getOptions()
  if (!options) throw invalidArgument('A removal needs options.')
  const expected = expectedRevisionOf(options, () => options.hasRevision() && options.getRevision())
  const stream = streamNameOf(options.getStreamIdentifier())
  const [deadline, cancelled] = [Number(call.getDeadline()), () => call.cancelled]
  const outcome = await log.write({ kind, stream, expected, events: [], deadline, cancelled })
  if (!outcome.ok) throw refusedWrite(stream, expected, outcome)
  return String(outcome.position)
}
