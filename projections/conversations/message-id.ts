import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageId } from '../../domain/shared/ids.ts'
import type { MessageRow } from './message-table.ts'

type Named = Pick<MessageRow, 'id' | 'number'>
const ERASED = 'erased-'
const NUMBERED = new RegExp(`^${ERASED}(\\d{1,9})$`)

/** A message whose author was erased goes by its number: the id that they had chosen went with them. */
export const messageIdOf = ({ id, number }: Named): MessageId => (id ?? `${ERASED}${number}`) as MessageId

/** The same in a query that reads messages as m. */
export const idOfMessage: RawBuilder<MessageId> = sql<MessageId>`coalesce(m.id, ${sql.lit(ERASED)} || m.number)`

/** Whether the message m goes by this id. */
export function goesBy(id: MessageId): RawBuilder<SqlBool> {
  const [, number] = NUMBERED.exec(id) ?? []
  return number ? sql`(m.id = ${id} or (m.id is null and m.number = ${number}::int))` : sql`m.id = ${id}`
}
