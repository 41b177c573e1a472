import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemberId, MessageId } from '../../../domain/shared/ids.ts'
import { uuidFrom } from '../../../eventstore/ids.ts'
import { createLogSource } from '../../../realtime/log-source.ts'
import type { EventSource } from '../../../realtime/source.ts'
import { until } from '../../support/until.ts'
import { member, pairIdOf, startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const MESSAGES = 400
const BLOCKS = 20

/** Two who matched, wrote a lot, and of whom one blocks and unblocks the other again and again. */
async function quarrel(ann: MemberId, bob: MemberId): Promise<void> {
  await world.match(ann, bob)
  const stream = `pair-${pairIdOf(ann, bob)}`
  const at = new Date()
  const sent = Array.from({ length: MESSAGES }, (_, index) => {
    const message = randomUUID() as MessageId
    return { type: 'MessageSent' as const, message, number: index + 1, from: ann, to: bob, text: 'x', media: null, at }
  })
  const commandId = randomUUID()
  const ids = sent.map((_, index) => uuidFrom(commandId, stream, index))
  const meta = { commandId, correlationId: commandId, causationId: commandId, actor: ann }
  const last = (await world.log.read(stream)).length - 1
  await world.log.append(stream, last, await world.codec.encode(stream, sent, ids, meta))
}

/** A source that counts what is read of streams and is in memory, and holds answers back between `hold` and `open`. */
function counting() {
  const source = createLogSource(world.log)
  const count = { events: 0, waiting: 0, answered: 0, kept: 0 }
  let gate: Promise<void> | undefined
  let open = () => {}
  const hold = () => {
    gate = new Promise((resolve) => {
      open = resolve
    })
  }
  const counted: EventSource = {
    ...source,
    async read(...asked) {
      count.waiting++
      const events = await source.read(...asked)
      count.events += events.length
      count.kept += events.length
      count.answered++
      await gate
      count.kept -= events.length
      count.waiting--
      return events
    },
  }
  return { counted, count, hold, open: () => open() }
}

test('a block of two who are not here reads a few events of their room, however long that is', async () => {
  const [ann, bob] = [member('Ann'), member('Bob')]
  const { counted, count } = counting()
  const node = await world.node({ source: counted })
  await quarrel(ann, bob)
  const position = await world.block(ann, bob)
  await until('the node knows', () => node.realtime.stats().head >= position)
  await until('it has looked', () => count.events > 0 && count.waiting === 0)
  expect(count.events).toBeLessThan(50)
})

test('many blocks at once keep few events in memory', async () => {
  const [ann, bob] = [member('Ann m'), member('Bob m')]
  const { counted, count, hold, open } = counting()
  const node = await world.node({ source: counted })
  await quarrel(ann, bob)
  hold()
  const before = count.answered
  let position = ''
  for (let round = 0; round < BLOCKS; round++) {
    position = await world.block(ann, bob)
    await world.unblock(ann, bob)
  }
  await until('the node knows', () => node.realtime.stats().head >= position)
  await until('each is looked at', () => count.answered - before === BLOCKS)
  const { kept } = count
  open()
  expect(kept).toBeLessThan(MESSAGES)
})
