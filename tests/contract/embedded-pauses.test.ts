import { randomUUID } from 'node:crypto'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import { credentials, type MethodDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { expect, onTestFinished, test } from 'vitest'
import { EventLog } from '../../eventstore/embedded/event-log.ts'
import { batchAppendHandler, batchAppendMethod } from '../../eventstore/embedded/protocol/batch-append.ts'
import { OpenCalls } from '../../eventstore/embedded/protocol/open-calls.ts'
import { PostgresStorage } from '../../eventstore/embedded/storage/postgres-storage.ts'
import { type FreshDatabase, freshDatabase } from '../support/fresh-database.ts'
import { logTemplate } from '../support/log.ts'
import { until } from '../support/until.ts'
import { delayCommits } from './delayed-commit.ts'

const WAITING_MOST = 2
/** More events than two writes of it share a group. */
const LARGE = 300

/** A log whose batch calls pause at `WAITING_MOST`, and one such call with the number of its answers. */
async function openPausing(database: FreshDatabase) {
  const log = new EventLog(
    new PostgresStorage({ database: database.config, logLine: () => {}, lockWaitMs: 0 }),
    () => {},
  )
  await log.open()
  const server = new Server()
  server.addService(
    { batchAppend: batchAppendMethod as MethodDefinition<unknown, unknown> },
    { batchAppend: batchAppendHandler(log, new OpenCalls(), WAITING_MOST) },
  )
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  const client = new streamsService.StreamsClient(`127.0.0.1:${port}`, credentials.createInsecure())
  const call = client.batchAppend()
  const answers: unknown[] = []
  call.on('data', (answer) => answers.push(answer)).on('error', () => {})
  onTestFinished(async () => {
    client.close()
    server.forceShutdown()
    await log.stopWriting(0)
    await log.close()
  })
  return { log, call, answers }
}

function batchOf(stream: string) {
  const name = new sharedMessages.StreamIdentifier().setStreamName(new Uint8Array(Buffer.from(stream)))
  const options = new messages.BatchAppendReq.Options().setStreamIdentifier(name).setAny(new empty.Empty())
  const event = new messages.BatchAppendReq.ProposedMessage().setId(uuid())
  event.getMetadataMap().set('type', 'Noted').set('content-type', 'application/json')
  return new messages.BatchAppendReq()
    .setCorrelationId(uuid())
    .setOptions(options)
    .setProposedMessagesList([event])
    .setIsFinal(true)
}

const uuid = () => new sharedMessages.UUID().setString(randomUUID())

const write = (log: EventLog, stream: string, count: number) => {
  const events = Array.from({ length: count }, () => ({
    id: randomUUID(),
    type: 'Noted',
    json: true,
    data: Buffer.from('{}'),
    metadata: Buffer.alloc(0),
  }))
  return log.write({ kind: 'append', stream, expected: 'any', events, deadline: Number.POSITIVE_INFINITY })
}

test('a batch call that was paused for the writes of others is taken up again when those are done', async () => {
  const database = await freshDatabase({ template: logTemplate })
  onTestFinished(() => database.drop())
  const { log, call, answers } = await openPausing(database)
  const { waiting, release } = await delayCommits(database)
  const writes = [write(log, 'first', 1)]
  await waiting()
  for (let n = 0; n <= WAITING_MOST; n++) writes.push(write(log, `small-${n}`, 1))
  call.write(batchOf('of-the-call'))
  await until('its append waits', () => log.waitingWrites > WAITING_MOST + 1)
  call.write(batchOf('of-the-call'))
  for (let n = 0; n < 3; n++) writes.push(write(log, `large-${n}`, LARGE))
  await release()
  await Promise.all(writes)
  await until('both appends are answered', () => answers.length === 2)
  expect(log.waitingWrites).toBe(0)
})
