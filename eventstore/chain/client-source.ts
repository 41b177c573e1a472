import type { AllStreamRecordedEvent } from '@eventstore/db-client'
import { START } from '../../domain/shared/recorded.ts'
import type { Log } from '../log.ts'
import { fromPosition, toPosition } from '../position.ts'
import { TOMBSTONE } from './missing.ts'
import type { ChainSource } from './source.ts'
import { isCovered, type Tuple, writeTuple } from './tuple.ts'

const PAGE = 500
/** What the client makes of the largest revision when it parses the metadata of a deleted stream. */
const ROUNDED = ':9223372036854776000'
const EXACT = ':9223372036854775807'

/**
 * Any log, through the client. Its tuples equal those of the embedded log's table: the product writes data as
 * JSON.stringify does, so that what the client parsed is written the same again.
 */
export function clientSource(log: Pick<Log, 'readWhole' | 'readLast' | 'end'>): ChainSource {
  return {
    async head(signal) {
      const head = await log.end(signal)
      return head === START ? 0 : Number(fromPosition(head).commit)
    },
    async each({ after, to, limit = Number.POSITIVE_INFINITY }, take, signal) {
      let count = 0
      for (let from = after; count < limit && from < to; ) {
        const page = await log.readWhole(positionAfter(from), PAGE, signal)
        if (page.length === 0) break
        for (const event of page) {
          from = Number(event.position.commit)
          if (from > to || count === limit) return count
          if (!isCovered(event.streamId)) continue
          take(tupleOf(event))
          count++
        }
      }
      return count
    },
    async streamNow(stream) {
      const [own, metadata] = [await log.readLast(stream), await log.readLast(`$$${stream}`)]
      const last = own === 'ended' ? TOMBSTONE : own ? Number(own.revision) : -1
      return { last, metadata: metadata && metadata !== 'ended' && metadata.isJson ? dataOf(metadata) : null }
    },
  }
}

const positionAfter = (commit: number) =>
  commit === 0 ? START : toPosition({ commit: BigInt(commit), prepare: BigInt(commit) })

function tupleOf(event: AllStreamRecordedEvent): Tuple {
  return writeTuple({
    position: Number(event.position.commit),
    created: event.created.getTime() * 1_000,
    revision: Math.min(Number(event.revision), TOMBSTONE),
    stream: event.streamId,
    id: event.id,
    type: event.type,
    json: event.isJson,
    data: dataOf(event),
    metadata: bytesOf(event.metadata),
  })
}

function dataOf({ type, data, isJson }: AllStreamRecordedEvent): Buffer {
  if (!isJson) return Buffer.from(data as Uint8Array)
  // What the client could not parse, or found empty, it hands over as it is.
  if (typeof data === 'string') return Buffer.from(data)
  const text = JSON.stringify(data)
  return Buffer.from(type === '$metadata' ? text.replace(ROUNDED, EXACT) : text)
}

function bytesOf(metadata: unknown): Buffer {
  if (metadata === undefined) return Buffer.alloc(0)
  return metadata instanceof Uint8Array ? Buffer.from(metadata) : Buffer.from(JSON.stringify(metadata))
}
