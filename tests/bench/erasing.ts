import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { DomainEvent } from '../../domain/all-events.ts'
import { type MemberId, type MessageId, pairIdOf } from '../../domain/shared/ids.ts'
import type { Position } from '../../domain/shared/recorded.ts'
import { idFrom } from '../../eventstore/ids.ts'
import { conversations } from '../../projections/conversations/project.ts'
import type { Projector } from '../../projections/engine/engine.ts'
import { type Core, openCore } from '../../server/core.ts'
import type { Extent, Report } from './extent.ts'
import { ms, percentile } from './figures.ts'
import { migrate } from './projecting.ts'
import { projectorOf } from './projector.ts'
import type { Store } from './store.ts'

const WAIT_MS = 120_000
const member = (name: string) => idFrom('bench member', name) as MemberId
const [gone, friend] = [member('gone'), member('friend')]

/** How long others wait for what they write to show, while somebody who wrote very much is erased. */
export async function benchErasing({ log, app }: Store, { members }: Extent, report: Report): Promise<void> {
  await migrate(app)
  const secrets = { masterKey: randomBytes(32), emailPepper: 'bench', mediaSecret: 'bench' }
  const core = await openCore({ database: app, log: log.connectionString, secrets })
  const projector = projectorOf(core)
  try {
    await projector.start()
    const messages = members / 10
    await wrote(core, messages)
    const quiet = await waits(core, projector, async () => {
      const ticks = Array.from({ length: 20 }, (_, tick) => tick)
      for (const tick of ticks) await shown(core, projector, buzz(`quiet ${tick}`), ['profiles'])
    })
    let took = 0
    const during = await waits(core, projector, async () => {
      const startedAt = performance.now()
      const erased: DomainEvent = { type: 'AccountErased', member: gone, at: new Date() }
      await shown(core, projector, [`member-${gone}`, erased], ['conversations'])
      while (await isWordLeft(core)) await pause(5)
      took = performance.now() - startedAt
    })
    report({ what: `${messages} messages of one member emptied`, value: ms(took) })
    for (const name of ['likes', 'chat'] as const)
      report({
        what: `longest wait for one’s own ${name} meanwhile`,
        value: `${ms(percentile(during[name], 1))} of ${during[name].length}`,
        against: `before ${ms(percentile(quiet[name], 1))} of ${quiet[name].length}`,
      })
  } finally {
    await projector.stop()
    await core.close()
  }
}

const isWordLeft = async ({ storage }: Core): Promise<boolean> =>
  (await storage.pool.query('select from read.message where from_member = $1 and text is not null limit 1', [gone]))
    .rows.length > 0

/** As if they had been sent for years. */
const wrote = (core: Core, messages: number) =>
  core.storage.pool.query(
    `insert into p_conversations_v${conversations.version}.message (room, number, id, from_member, text, media, sent_at)
     select $1, n, 'm' || n, $2, 'some words of a message', null, now() from generate_series(1, $3::int) n`,
    [pairIdOf(gone, friend), gone, messages],
  )

type Written = readonly [stream: string, event: DomainEvent]

function buzz(round: string): Written {
  const [from, to] = [member(`${round} from`), member(`${round} to`)]
  return [`pair-${pairIdOf(from, to)}`, { type: 'Buzzed', from, to, via: 'discover', at: new Date() }]
}

function message(round: string): Written {
  const [from, to] = [member(`${round} from`), member(`${round} to`)]
  const id = randomUUID() as MessageId
  const at = new Date()
  return [
    `pair-${pairIdOf(from, to)}`,
    { type: 'MessageSent', message: id, number: 1, from, to, text: 'Hi', media: null, at },
  ]
}

/** From the append until the read models show it, in milliseconds. */
async function shown(core: Core, projector: Projector, [stream, event]: Written, names: string[]): Promise<number> {
  const ids = [randomUUID()]
  const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: 'system' }
  const stored = await core.codec.encode(stream, [event], ids, meta)
  const { position }: { position: Position } = await core.log.append(stream, 'no_stream', stored)
  const startedAt = performance.now()
  if (!(await projector.waitFor(position, names, WAIT_MS))) throw new Error('The read models did not catch up.')
  return performance.now() - startedAt
}

let rounds = 0
/** Two who like and write for as long as the work takes, each one thing after the other. */
async function waits(core: Core, projector: Projector, work: () => Promise<void>) {
  const [likes, chat]: [number[], number[]] = [[], []]
  let ended = false
  const until = async (times: number[], write: (round: string) => Written, names: string[]) => {
    while (!ended) times.push(await shown(core, projector, write(`round ${rounds++}`), names))
  }
  const others = [until(likes, buzz, ['relations', 'notifications']), until(chat, message, ['conversations'])]
  await work()
  ended = true
  await Promise.all(others)
  return { likes, chat }
}
