import { type RawBuilder, type SqlBool, sql } from 'kysely'

/**
 * Whether a time of a row is still to come. Rows whose time has passed go as an event of the log passes it; a query that has to
 * be right to the second asks this.
 */
export const isToCome = (time: RawBuilder<unknown>, now: Date): RawBuilder<SqlBool> => sql<SqlBool>`${time} > ${now}`
