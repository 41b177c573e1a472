import { randomUUID } from 'node:crypto'
import { pairDecider } from '../../../domain/pair/decider.ts'
import { type MemberId, MessageId, pairIdOf } from '../../../domain/shared/ids.ts'
import type { Dispatch } from '../../../eventstore/dispatch.ts'
import { as, member, type Rig } from '../rig.ts'

export const at = new Date('2030-01-01T12:00:00Z')
export const EVERY = 5

export const message = (from: MemberId, to: MemberId, text: string) => ({
  type: 'SendMessage' as const,
  message: MessageId.parse(randomUUID()),
  from,
  to,
  text,
  media: null,
  at,
})
export type Sent = { readonly command: ReturnType<typeof message>; readonly context: ReturnType<typeof as> }

export type Row = { log_id: string; version: number; revision: number; anchor: string; state: { messages: number } }

/** Two who are matched, what they write, and the row that spares their stream its fold. */
export async function conversationOf(rig: Rig, name: string) {
  const [ann, bea] = [member(`${name} ann`), member(`${name} bea`)]
  const id = pairIdOf(ann, bea)
  const stream = `pair-${id}`
  const buzz = (from: MemberId, to: MemberId) => ({ type: 'Buzz' as const, from, to, via: 'discover' as const, at })
  await rig.dispatch(pairDecider, buzz(ann, bea), as(ann))
  await rig.dispatch(pairDecider, buzz(bea, ann), as(bea))
  return {
    ann,
    bea,
    id,
    stream,
    /** Messages by a process, one after the other. */
    async write(by: { dispatch: Dispatch }, count: number): Promise<Sent[]> {
      const sent = Array.from({ length: count }, (_, n) => ({
        command: message(ann, bea, `word ${n}`),
        context: as(ann),
      }))
      for (const { command, context } of sent) await by.dispatch(pairDecider, command, context)
      return sent
    },
    /** The number that the next message gets, by a process of its own that has nothing in memory. */
    async nextNumber(): Promise<number> {
      const cold = rig.process({ every: EVERY })
      const outcome = await cold.dispatch(pairDecider, message(ann, bea, 'next'), as(ann))
      await cold.snapshots.settled()
      return outcome.ok && outcome.events[0]?.type === 'MessageSent' ? outcome.events[0].number : Number.NaN
    },
    async row(): Promise<Row | undefined> {
      return (await rig.pool.query<Row>('select * from app.snapshot where stream = $1', [stream])).rows[0]
    },
    /** Changes the row; `messages` in its state shows whether it is used. */
    async forge(set: string, messages = 1_000): Promise<void> {
      const sql = `update app.snapshot set state = jsonb_set(state, '{messages}', to_jsonb($2::int))${set} where stream = $1`
      if ((await rig.pool.query(sql, [stream, messages])).rowCount !== 1) throw new Error('There is no row.')
    },
  }
}
