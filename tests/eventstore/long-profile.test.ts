import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileDecider } from '../../domain/profile/decider.ts'
import { createDispatch } from '../../eventstore/dispatch.ts'
import { uuidFrom } from '../../eventstore/ids.ts'
import { createSnapshots } from '../../eventstore/snapshots/snapshots.ts'
import { ann, started, T0 } from '../support/people.ts'
import { appTemplate } from '../support/templates/app.ts'
import { as, type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig(appTemplate)
})
afterAll(() => rig.stop())

const CHANGES = 3_000
/** Events that are decoded in one go: nobody else has a turn meanwhile. */
const AT_ONCE = 1_000

/** Events that are in memory at once. */
const READ_AT_ONCE = 500

/** A process that has nothing in memory, and counts what it reads and decodes in one go. */
function cold() {
  const { log, codec, keys, pool } = rig
  const count = { atOnce: 0, read: 0 }
  async function* pages(...asked: Parameters<typeof log.pages>) {
    for await (const page of log.pages(...asked)) {
      count.read = Math.max(count.read, page.length)
      yield page
    }
  }
  const counted = {
    log: { ...log, pages },
    codec: {
      ...codec,
      decode: (...[stored]: Parameters<typeof codec.decode>) => {
        count.atOnce = Math.max(count.atOnce, stored.length)
        return codec.decode(stored)
      },
    },
  }
  const snapshots = createSnapshots({ pool, log })
  return { count, ...createDispatch({ ...counted, keys, snapshots }) }
}

const edit = (process: ReturnType<typeof cold>, bio: string) =>
  process.dispatch(profileDecider, { type: 'EditProfile', member: ann, changes: { bio }, at: T0 }, as(ann))

test('a profile that was changed thousands of times keeps nobody else waiting', async () => {
  const { type: _type, ...answers } = started('Ann')
  const start = { ...answers, type: 'StartProfile' } as Parameters<typeof profileDecider.decide>[0]
  await rig.dispatch(profileDecider, start, as(ann))
  const stream = `profile-${ann}`
  const last = (await rig.log.read(stream)).length - 1
  const commandId = randomUUID()
  const bios = Array.from({ length: CHANGES }, (_, n) => ({
    type: 'BioChanged' as const,
    member: ann,
    bio: `${n}`,
    at: T0,
  }))
  const ids = bios.map((_, n) => uuidFrom(commandId, stream, n))
  const meta = { commandId, correlationId: commandId, causationId: commandId, actor: ann }
  await rig.log.append(stream, last, await rig.codec.encode(stream, bios, ids, meta))
  const first = cold()
  expect((await edit(first, 'one')).ok).toBe(true)
  expect(first.count.atOnce).toBeLessThanOrEqual(AT_ONCE)
  expect(first.count.read).toBe(READ_AT_ONCE)
  expect((await edit(first, 'one')).ok).toBe(true)
  expect((await rig.log.read(stream)).length).toBe(last + 1 + CHANGES + 1)
})
