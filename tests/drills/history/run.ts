import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedEvent } from '../../../domain/all-events.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { valueOr } from '../../../domain/shared/personal.ts'
import { START } from '../../../domain/shared/recorded.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { countUnread } from '../../../projections/conversations/unread.ts'
import { getSocialStats } from '../../../projections/relations/queries.ts'
import type { Core } from '../../../server/core.ts'
import { layCluster } from '../../support/cluster.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { freePort, type Program, startProgram } from '../program-child.ts'
import { withCoreOf } from '../program-core.ts'
import { type Caller, signUpMany } from '../program-people.ts'
import { checkHistory } from './check.ts'
import { readCommand } from './operations.ts'
import { type Counted, type Logged, Recorder } from './record.ts'
import { type Field, work } from './work.ts'

const WORKERS = 20
const PAGE = 2_000

export type HistoryOptions = { operations: number; members?: number; kills: number; print?: (text: string) => void }
/** `anomalies`: what must never be, each in words. `wrong`: rows that differ from a fold of the log. */
export type HistoryResult = {
  operations: number
  kills: number
  ok: number
  fail: number
  info: number
  looks: number
  events: number
  answers: Record<string, number>
  anomalies: string[]
  wrong: string[]
  seconds: number
}

/**
 * Workers do as they like with a real product that is killed now and then; the answers they got must fit what is there.
 */
export async function historyCheck({ operations, members = 40, kills, print }: HistoryOptions): Promise<HistoryResult> {
  const dataDir = makeTempDir('letsbuzz-drill-')
  await layCluster(join(dataDir, 'postgres'))
  const setup = { dataDir, port: await freePort() }
  let program: Program = await startProgram(setup)
  try {
    const people = await signUpMany(program.url, members)
    const startedAt = performance.now()
    const { recorder, counts } = await underWork(program.url, people, { operations, kills }, async (kill) => {
      await program.kill(kill % 2 ? 'parent' : 'all')
      program = await startProgram(setup)
      print?.(`killed and ready again after ${Math.round(program.readyMs)} ms`)
    })
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    return { ...(await judge(dataDir, people, recorder)), kills, answers: Object.fromEntries(counts), seconds }
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Plan = Pick<HistoryOptions, 'operations' | 'kills'>

async function underWork(
  url: string,
  people: Caller[],
  { operations, kills }: Plan,
  kill: (n: number) => Promise<void>,
) {
  const recorder = new Recorder()
  const counts = new Map<string, number>()
  let [begun, killed] = [0, 0]
  let up: Promise<void> = Promise.resolve()
  const go = () => {
    if (begun >= operations) return false
    begun++
    if (killed < kills && begun > ((killed + 1) * operations) / (kills + 1)) up = kill(killed++)
    return true
  }
  const field: Field = { url, members: people, recorder, counts, ready: () => up, go }
  const own = (worker: number) => people.filter((_, at) => at % WORKERS === worker)
  const shares = Array.from({ length: WORKERS }, (_, worker) => own(worker)).filter((share) => share.length > 0)
  await Promise.all(shares.map((share) => work(field, share)))
  await up
  return { recorder, counts }
}

function judge(dataDir: string, people: readonly Caller[], { tries, looks }: Recorder) {
  return withCoreOf(dataDir, async (core) => {
    const log = await readLog(core)
    const counted = await Promise.all(people.map(({ id }) => countersOf(core, id as MemberId)))
    const anomalies = checkHistory({ tries, looks, log, counted })
    const results = (result: string) => tries.filter((tried) => tried.result === result).length
    const folded = await foldOfLog(core.log, core.codec, allProjections)
    return {
      operations: tries.length + looks.length,
      ok: results('ok'),
      fail: results('fail'),
      info: results('info'),
      looks: looks.length,
      events: log.length,
      anomalies: anomalies.map(({ kind, what }) => `${kind}: ${what}`),
      wrong: await compareWithTables(core.storage.pool, allProjections, folded),
    }
  })
}

async function countersOf({ storage }: Core, member: MemberId): Promise<Counted> {
  const [{ total: unread }, stats] = await Promise.all([
    countUnread(storage.read, member),
    getSocialStats(storage.read, member),
  ])
  return { member, unread, ...stats }
}

async function readLog({ log, codec }: Core): Promise<Logged[]> {
  const events: Logged[] = []
  for (let after = START; ; ) {
    const stored = await log.readAll(after, PAGE)
    const decoded = await codec.decode(stored)
    stored.forEach(({ stream }, at) => void events.push(loggedOf(stream, decoded[at]!)))
    const last = stored.at(-1)
    if (!last) return events
    after = last.position
  }
}

function loggedOf(stream: string, event: RecordedEvent): Logged {
  const { position, revision, type, meta } = event
  const common = { position, stream, revision, type, command: meta.commandId, actor: meta.actor }
  switch (event.type) {
    case 'Buzzed':
    case 'BuzzWithdrawn':
      return { ...common, by: event.from, to: event.to }
    case 'MessageSent':
      return {
        ...common,
        by: event.from,
        to: event.to,
        message: valueOr(event.message, 'erased'),
        number: event.number,
      }
    case 'MessagesRead':
      return {
        ...common,
        command: readCommand(event.by, valueOr(event.upTo, 'erased')),
        by: event.by,
        to: event.other,
        number: event.number,
      }
    case 'Skipped':
    case 'SkipUndone':
    case 'Unmatched':
    case 'Blocked':
    case 'Unblocked':
      return { ...common, by: event.by, to: event.target }
    default:
      return common
  }
}
