import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { handleUnaryCall, ServerUnaryCall } from '@grpc/grpc-js'
import type { EventLog } from '../event-log.ts'
import { streams } from './definitions.ts'
import { refusedWrite, toRpcError } from './errors.ts'
import { expectedRevisionOf, streamNameOf } from './requests.ts'

/** Delete: the stream reads as absent and may be written again. */
export function deleteHandler(log: EventLog): handleUnaryCall<DeleteReq, DeleteResp> {
  return (call, answer) => {
    remove(log, 'delete', call).then((at) => {
      const position = new streams.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at)
      answer(null, new streams.DeleteResp().setPosition(position))
    }, failWith(answer))
  }
}

/** Tombstone: the stream ends for ever. */
export function tombstoneHandler(log: EventLog): handleUnaryCall<TombstoneReq, TombstoneResp> {
  return (call, answer) => {
    remove(log, 'tombstone', call).then((at) => {
      const position = new streams.TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at)
      answer(null, new streams.TombstoneResp().setPosition(position))
    }, failWith(answer))
  }
}

const failWith = (answer: (error: ReturnType<typeof toRpcError>) => void) => (error: unknown) =>
  answer(toRpcError(error))

type Call = ServerUnaryCall<DeleteReq | TombstoneReq, unknown>

async function remove(log: EventLog, kind: 'delete' | 'tombstone', call: Call): Promise<string> {
  const options = call.request.getOptions()
  const stream = streamNameOf(options?.getStreamIdentifier())
  const expected = options ? expectedRevisionOf(options, () => options.getRevision()) : 'any'
  const outcome = await log.write({ kind, stream, expected, events: [], deadline: Number(call.getDeadline()) })
  if (!outcome.ok) throw refusedWrite(stream, expected, outcome)
  return String(outcome.position)
}
