import { TOMBSTONE } from '../records.ts'
import type { Layout } from './layout.ts'
import { PARTITIONED } from './partitioned-tables.ts'
import { SINGLE } from './single-table.ts'

export const REVISIONS_PER_DELETE = 1_000

/**
 * `summarise` as the storage has it. The others take a stream as $1; those of what is hidden its bounds as $2 to $4, and
 * `deleteHidden` revisions from $5 up to $6. `next` is the first revision from $2 on and before $3.
 */
export type ScavengeSql = {
  readonly candidates: string
  readonly summarise: string
  readonly countHidden: string
  readonly next: string
  readonly deleteHidden: string
}

const BY_NAME = `select distinct stream from log.event where stream >= '$$' and stream < '$%'`
const BY_NUMBER = `select name as stream from log.stream where name >= '$$' and name < '$%'`
const OWN = 'from log.stream where name = $1'

export const scavengeSql = (layout: Layout): ScavengeSql =>
  layout === 'single'
    ? sqlOf(BY_NAME, SINGLE.summarise, 'stream = $1')
    : sqlOf(BY_NUMBER, PARTITIONED.summarise, `stream_id = (select id ${OWN}) and position >= (select born ${OWN})`)

const SIZE = 'octet_length(data) + octet_length(metadata) as size'
const COUNT = 'count(*) as events, coalesce(sum(size), 0)::bigint as bytes'

/** Only streams with metadata, their metadata, and streams that have ended can hold what nobody sees. */
function sqlOf(metastreams: string, summarise: string, ofStream: string): ScavengeSql {
  // Events that no reader sees: before revision $2 or time $3. Nothing is touched from revision $4 on.
  const hidden = `${ofStream} and revision < $4 and (revision < $2 or created < $3)`
  return {
    candidates: `${metastreams} union select stream from log.event where revision = ${TOMBSTONE}`,
    summarise,
    countHidden: `select ${COUNT} from (select ${SIZE} from log.event where ${hidden}) as hidden`,
    next: `select revision from log.event where ${ofStream} and revision >= $2 and revision < $3 order by revision limit 1`,
    // By revisions on both sides, so that no plan looks at the whole stream again each time.
    deleteHidden: `
      with gone as (
        delete from log.event where ${hidden} and revision >= $5 and revision < $6
        returning ${SIZE}, tableoid::regclass::text as part
      ) select ${COUNT}, coalesce(array_agg(distinct part), '{}') as parts from gone`,
  }
}
