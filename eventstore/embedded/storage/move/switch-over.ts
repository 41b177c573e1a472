import pg from 'pg'
import { layoutOf } from '../layout.ts'
import { createSql, SPAN } from '../partitions.ts'
import { copyRange, isSame, nextRange, START } from './copy.ts'

/** `behind`: more events are left than one switch may copy. `busy`: somebody reads the single table for long. */
export type SwitchOutcome = 'done' | 'behind' | 'busy'

/** `after`: up to where the partitions are filled and compared. `most`: events that may be left. */
export type SwitchTask = { readonly after: number; readonly most: number; readonly span: number }

const LOCK_NOT_AVAILABLE = '55P03'
/** Whoever reads meanwhile waits behind the lock. */
const LOCK_WAIT_MS = 200
const AT_ONCE = 50_000

/**
 * Copies and compares what is left, and puts the partitions in the place of the single table, in one transaction of the
 * one writer: nobody else can write, and whoever reads finds one table or the other, with every event in it.
 */
export async function switchOver(writer: pg.ClientBase, { after, most, span }: SwitchTask): Promise<SwitchOutcome> {
  await writer.query('begin')
  try {
    await writer.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
    // A second switch would put empty partitions in the place of full ones.
    if ((await layoutOf(writer)) === 'partitioned') return await back(writer, 'done')
    await writer.query(createSql('log.event_next'))
    const left = await nextRange(writer, after, most + 1)
    if (left && left.events > most) return await back(writer, 'behind')
    await writer.query('lock table log.event in access exclusive mode')
    if (left) {
      await copyRange(writer, left, span)
      if (!(await isSame(writer, left))) throw new Error('What was copied last differs from the log.')
    }
    await swap(writer)
    await writer.query('commit')
    return 'done'
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) return back(writer, 'busy')
    await writer.query('rollback')
    throw error
  }
}

/** The same in the caller's transaction, where nobody else reads or writes: a single table that holds all is moved and freed. */
export async function moveWithin(db: pg.ClientBase, span = SPAN): Promise<void> {
  await db.query(createSql('log.event_next'))
  for (let range = await nextRange(db, START, AT_ONCE); range; range = await nextRange(db, range.to, AT_ONCE)) {
    await copyRange(db, range, span)
    if (!(await isSame(db, range))) throw new Error('What was moved to partitions differs from the log.')
  }
  await swap(db)
  await dropSingle(db)
}

async function swap(db: pg.ClientBase): Promise<void> {
  await db.query('alter table log.event rename to event_before')
  await db.query('alter table log.event_next rename to event')
}

async function back<T>(writer: pg.ClientBase, outcome: T): Promise<T> {
  await writer.query('rollback')
  return outcome
}

/** Frees what the single table took, once it is out of use. */
export async function dropSingle(db: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await db.query('drop table if exists log.event_before')
}
