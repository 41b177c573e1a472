import { expect } from 'vitest'
import type { EventType, RecordedEvent } from '../../../domain/all-events.ts'
import type { RetryDeps } from '../../../projections/engine/care/again.ts'
import { findQuarantined } from '../../../projections/engine/care/quarantined-keys.ts'
import { type Retried, retryQuarantined } from '../../../projections/engine/care/retry.ts'
import type { Change, Projection } from '../../../projections/projection.ts'
import type { EngineRig } from '../engine-rig.ts'

type Appended = Parameters<EngineRig['append']>

/** Appends, and waits until the projection shows it. */
export async function liveOf(rig: EngineRig, projection: Projection) {
  const projector = rig.project([projection])
  await projector.start()
  return async (...[stream, ...events]: Appended) => {
    const position = await rig.append(stream, ...events)
    expect(await projector.waitFor(position, undefined, 20_000)).toBe(true)
    return position
  }
}

/** Retries the key that has this stream or event, or is it. */
export async function retried(
  rig: EngineRig,
  projection: Projection,
  eventOrKey: string,
  deps: Partial<RetryDeps> = {},
): Promise<Retried> {
  const [found] = await findQuarantined(rig, eventOrKey, projection.name)
  return retryQuarantined({ ...rig, ...deps }, projection, found!)
}

export const waiting = async (rig: EngineRig) =>
  (await rig.pool.query('select revision::integer, reason from app.quarantine order by position')).rows

/** The handlers throw for events of the types and ids that were refused last. */
export function refusing(projection: Projection) {
  let refused = new Set<string>()
  const handler = (type: EventType) => (event: RecordedEvent) => {
    if (refused.has(type) || refused.has(event.id)) throw new Error('not yet')
    return (projection.when[type] as (event: RecordedEvent) => readonly Change[])(event)
  }
  const when = Object.keys(projection.when).map((type) => [type, handler(type as EventType)])
  const refuse = (...typesAndIds: string[]) => {
    refused = new Set(typesAndIds)
  }
  return { failing: { ...projection, when: Object.fromEntries(when) } as Projection, refuse }
}

/** Postgres refuses rows for as long as the condition is there; `code` 23514 is poison, others are not. */
export async function refuseRows({ pool }: EngineRig, table: string, when: string, code = '23514') {
  const name = `refuse_${code.toLowerCase()}`
  await pool.query(`create or replace function ${name}() returns trigger language plpgsql as
      $$ begin raise exception 'x' using errcode = '${code}'; end $$;
    create trigger ${name} before insert or update on ${table} for each row when (${when}) execute function ${name}()`)
  return () => pool.query(`drop trigger ${name} on ${table}`)
}

/** The most rows of a table that one transaction has inserted since. */
export async function countInserts({ pool }: EngineRig, table: string) {
  await pool.query(`create table inserted (tx bigint);
    create function counted() returns trigger language plpgsql as
      $$ begin insert into public.inserted values (txid_current()); return new; end $$;
    create trigger counted before insert on ${table} for each row execute function counted()`)
  const asked = 'select count(*)::integer as rows from inserted group by tx order by 1 desc limit 1'
  return async () => (await pool.query<{ rows: number }>(asked)).rows[0]?.rows ?? 0
}
