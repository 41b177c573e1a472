import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { pairIdOf } from '../../domain/shared/ids.ts'
import { loadConfig } from '../../server/config.ts'
import { LEASE_MS } from '../../services/export/work.ts'
import { unzip } from '../server/export/archive.ts'
import { messageId } from '../support/people.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { type ExportProcess, startExportProcess } from './export-child.ts'

/** The full form: EXPORT_KILLS=20. */
const KILLS = Number(process.env.EXPORT_KILLS ?? 2)
const SEED = Number(process.env.EXPORT_SEED ?? 20_260_101)
const MESSAGES = KILLS > 2 ? 5_000 : 1_000
/** About as long as a copy takes, with the mail behind it. */
const LONGEST_MS = KILLS > 2 ? 4_000 : 1_000
const SLOW_MS = 120_000

let world: World
let ann: Person
let bea: Person

beforeAll(async () => {
  // Nobody here prepares anything.
  const roles = new Set([...loadConfig({}).roles].filter((role) => role !== 'reactors'))
  world = await startWorld({ web: false, config: { roles } })
  ann = await world.member('Ann')
  bea = await world.member('Bea')
  await world.match(ann, bea)
  await writeMessages()
  await world.settled()
}, SLOW_MS)
afterAll(() => world?.stop())

/** As if they had known each other for long. */
async function writeMessages(): Promise<void> {
  const { log, codec } = world.core
  const stream = `pair-${pairIdOf(ann.id, bea.id)}`
  let revision = (await log.read(stream)).length - 1
  for (let number = 1; number <= MESSAGES; ) {
    const events = Array.from({ length: Math.min(500, MESSAGES - number + 1) }, (_, index) => ({
      type: 'MessageSent' as const,
      message: messageId(`m-${number + index}`),
      number: number + index,
      from: ann.id,
      to: bea.id,
      text: `Words ${number + index} ${randomUUID()}`,
      media: null,
      at: new Date(),
    }))
    const meta = { commandId: randomUUID(), correlationId: randomUUID(), causationId: randomUUID(), actor: 'system' }
    const ids = events.map(() => randomUUID())
    await log.append(stream, revision, await codec.encode(stream, events, ids, meta))
    revision += events.length
    number += events.length
  }
}

const row = (id: string) =>
  world.core.storage.app.selectFrom('data_export').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const mails = async () => ((await world.product.mailbox?.list({ to: ann.email })) ?? []).length
const over = async (id: string) => {
  const { state, mail_owed } = await row(id)
  return state === 'ready' && !mail_owed
}

async function expectWhole(id: string): Promise<void> {
  const opened = await world.services.exports.open(ann.id, id)
  const files = await unzip(Buffer.from(await new Response(opened!.body).arrayBuffer()))
  expect(JSON.parse(String(files.get(`messages/${bea.id}.json`)))).toHaveLength(MESSAGES)
  const page = String(files.get('index.html'))
  for (const path of files.keys()) expect(path === 'index.html' || page.includes(path)).toBe(true)
}

test('killed again and again while it is prepared, a copy comes whole, with its mail, and leaves nothing behind', async () => {
  const waits = fc.sample(fc.noBias(fc.nat(LONGEST_MS)), { seed: SEED, numRuns: KILLS })
  const asked = [(await world.services.exports.ask(ann.id)).id]
  let child: ExportProcess | null = null
  onTestFinished(() => child?.kill())
  // The next process takes up what the last one left once its lease is over.
  let ahead = 0
  const start = () => {
    ahead += 6 * LEASE_MS
    return startExportProcess(world, ahead)
  }
  const last = () => asked[asked.length - 1]!
  for (let kill = 0; kill < KILLS; kill++) {
    if (await over(last())) {
      await expectWhole(last())
      asked.push((await world.services.exports.ask(ann.id)).id)
    }
    const { tries, state } = await row(last())
    child = start()
    const taken = async () => state === 'ready' || (await row(last())).tries > tries
    await until('the copy is taken up', taken, SLOW_MS)
    await pause(waits[kill])
    await child.kill()
  }
  child = start()
  await until('the copy is there and its mail sent', () => over(last()), SLOW_MS)
  await child.kill()
  child = null

  const sent = await mails()
  process.stdout.write(`${KILLS} kills, ${asked.length} copies, ${sent} mails\n`)
  expect(sent).toBeGreaterThanOrEqual(asked.length)
  expect(sent).toBeLessThanOrEqual(2 * asked.length)
  await expectWhole(last())
  // What a death kept from being removed for the next one.
  await world.services.exports.sweep()
  expect(await readdir(join(world.dataDir, 'exports'))).toEqual([`${last()}.zip`])
}, 900_000)
