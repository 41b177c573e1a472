import { weightOf } from '../../eventstore/log-pages.ts'
import type { AnyRow } from '../engine/columns.ts'

/** A row in memory, whatever stands in it. */
const EACH = 300

/** About the bytes of a row: the characters of its texts, and what every row takes. */
export const weightOfRow = (row: AnyRow): number => EACH + weightOf(row)
