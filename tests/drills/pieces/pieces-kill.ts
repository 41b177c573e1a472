import { randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DomainEvent } from '../../../domain/all-events.ts'
import { type MemberId, pairIdOf } from '../../../domain/shared/ids.ts'
import { idFrom, uuidFrom } from '../../../eventstore/ids.ts'
import { allProjections } from '../../../projections/all-projections.ts'
import { listOwing, PIECE } from '../../../projections/engine/owed/owed.ts'
import type { Core } from '../../../server/core.ts'
import { findRunning } from '../../../server/data-dir.ts'
import { ledgerPathOf } from '../../../services/erased-ledger.ts'
import { dumpOf, findIn } from '../../server/erasure/places.ts'
import { layCluster } from '../../support/cluster.ts'
import { compareWithTables, foldOfLog } from '../../support/fold-of-log.ts'
import { messageId } from '../../support/people.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'
import { freePort, type Program, startProgram } from '../program-child.ts'
import { withCoreOf } from '../program-core.ts'
import { type Caller, call, signUpMany } from '../program-people.ts'
import { adminDies } from '../seams/hooked-program.ts'

/** So long takes each row of an erasure, so that every death meets one on its way. */
const ROW_SECONDS = 0.003
/** While a program starts again it pays some pieces already. */
const PIECES_PER_DEATH = 6
const AT_ONCE = 500
const PAID_MS = 60_000
/** What a dead process had taken is another's only after its lease. */
const CERTIFIED_MS = 150_000
const WORD = 'quincewort'

/**
 * `met`: deaths while rows were owed. `early`: moments at which the erasure was certified and rows were owed, or had words.
 * `left`: places with a word of the erased member in the end.
 */
export type PiecesKill = {
  kills: number
  met: number
  messages: number
  early: number
  certificates: number
  wrong: string[]
  left: string[]
}

/** Kills whoever erases a member of very many messages, then the whole program among the pieces, until all is done. */
export async function piecesKillDrill({ kills }: { kills: number }): Promise<PiecesKill> {
  const dataDir = makeTempDir('letsbuzz-drill-')
  await layCluster(join(dataDir, 'postgres'))
  const setup = { dataDir, port: await freePort() }
  let program = await startProgram(setup)
  try {
    const messages = PIECE * PIECES_PER_DEATH * (kills + 1)
    const [who] = await writtenMany(program, dataDir, messages)
    const result = { kills, met: 0, messages, early: 0, certificates: 0, wrong: [], left: [] }
    const seam = { at: '^after append member-[^:]*: AccountErased', nth: 1 }
    await adminDies(dataDir, ['erase', who.id, '--yes'], seam)
    for (let kill = 0, words = messages; kill < kills; kill++) {
      words = await withCoreOf(dataDir, (core) => someArePaid(core, who.id, words, result), { settled: false })
      result.met++
      await pause(randomInt(1_000 * ROW_SECONDS * PIECE))
      await program.kill(kill % 2 ? 'parent' : 'all')
      program = await startProgram(setup)
    }
    return await withCoreOf(dataDir, (core) => judge(core, dataDir, who.id, result), { settled: false })
  } finally {
    await program.stop()
    rmSync(dataDir, { recursive: true, force: true })
    rmSync(ledgerPathOf(dataDir), { force: true })
  }
}

/** Two members who matched, and all that the first one has written; each row of it takes its time from now on. */
async function writtenMany({ url }: Program, dataDir: string, messages: number): Promise<[Caller, Caller]> {
  const [a, b] = (await signUpMany(url, 2)) as [Caller, Caller]
  for (const [from, to] of [[a, b] as const, [b, a] as const]) {
    const answer = await call(url, '/likes', { token: from.token, body: { to: to.id } })
    if (!answer.ok) throw new Error(`a buzz was refused: ${await answer.text()}`)
  }
  await withCoreOf(dataDir, (core) => write(core, a.id as MemberId, b.id as MemberId, messages))
  await withCoreOf(dataDir, async ({ storage: { pool } }) => {
    const { name, version } = allProjections.find((one) => one.name === 'conversations')!
    await pool.query(`create function public.slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(${ROW_SECONDS}); return new; end $$`)
    await pool.query(`create trigger slow before update on "p_${name}_v${version}".message
      for each row execute function public.slow()`)
  })
  return [a, b]
}

async function write({ log, codec }: Core, from: MemberId, to: MemberId, messages: number): Promise<void> {
  const stream = `pair-${pairIdOf(from, to)}`
  let last = (await log.read(stream)).at(-1)!.revision
  for (let number = 1; number <= messages; number += AT_ONCE) {
    const events = Array.from({ length: Math.min(AT_ONCE, messages - number + 1) }, (_, at): DomainEvent => {
      const message = messageId(idFrom('piece', number + at))
      const text = `${WORD} ${number + at}`
      return { type: 'MessageSent', message, number: number + at, from, to, text, media: null, at: new Date() }
    })
    const ids = events.map((_, at) => uuidFrom(stream, number + at))
    const meta = { commandId: ids[0]!, correlationId: ids[0]!, causationId: ids[0]!, actor: from }
    await log.append(stream, last, await codec.encode(stream, events, ids, meta))
    last += events.length
  }
}

type Look = { readonly certified: number; readonly words: number; readonly owing: number }

/** The certificate first: what is owed can only become less. */
async function look({ log, storage: { pool } }: Core, who: string, result: PiecesKill): Promise<Look> {
  const certified = (await log.read(`member-${who}`)).filter(({ type }) => type === 'ErasureCertified').length
  const owing = (await listOwing(pool)).length
  const { rows } = await pool.query<{ words: number }>(
    'select count(*)::integer as words from read.message where from_member = $1 and text is not null',
    [who],
  )
  const { words } = rows[0]!
  if (certified > 0 && owing + words > 0) result.early++
  return { certified, words, owing }
}

/** Answers how many rows still have words. */
async function someArePaid(core: Core, who: string, before: number, result: PiecesKill): Promise<number> {
  const now = await until(
    'pieces are paid, and more are owed',
    async () => {
      const seen = await look(core, who, result)
      return seen.owing > 0 && seen.words <= before - PIECE ? seen : null
    },
    PAID_MS,
  )
  return now.words
}

async function judge(core: Core, dataDir: string, who: string, result: PiecesKill): Promise<PiecesKill> {
  await until('the erasure is certified', async () => (await look(core, who, result)).certified, CERTIFIED_MS)
  return withCoreOf(dataDir, async ({ log, codec, storage: { pool } }) => {
    const { app, log: logs } = findRunning(dataDir)!.databases!
    const places = new Map([...(await dumpOf(app)), ...(logs ? await dumpOf(logs) : [])])
    const { certified } = await look(core, who, result)
    const folded = await foldOfLog(log, codec, allProjections)
    return {
      ...result,
      certificates: certified,
      wrong: await compareWithTables(pool, allProjections, folded),
      left: findIn(places, [WORD]),
    }
  })
}
