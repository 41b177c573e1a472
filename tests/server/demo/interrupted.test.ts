import { expect, onTestFinished, test } from 'vitest'
import { START } from '../../../domain/shared/recorded.ts'
import { countAccounts } from '../../../projections/accounts/queries.ts'
import { DEMO_LOGIN } from '../../../server/demo/login.ts'
import { ensureDemoWorld } from '../../../server/demo/world.ts'
import { createUnfinishedSweep } from '../../../server/tools/erasure/unfinished.ts'
import { PROOF_MS } from '../../../services/proof-endings.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import { drawnSmall } from './small-pictures.ts'

const MEMBERS = 3
/** It makes a whole world and takes another up again and again. */
const TWO_WORLDS_MS = 180_000

async function emptyWorld(now = () => new Date()): Promise<World> {
  const world = await startWorld({ web: false, now })
  onTestFinished(() => world.stop())
  return { ...world, services: drawnSmall(world.services) }
}

/** A start that makes the demo world; `commands`: how many it gets to before it is killed. */
async function start({ core, services, dataDir }: World, commands = Number.POSITIVE_INFINITY, now = () => new Date()) {
  const printed: string[] = []
  let left = commands
  const dispatch: World['core']['dispatch'] = async (...command) => {
    if (left-- <= 0) throw new Error('killed')
    return core.dispatch(...command)
  }
  const making = ensureDemoWorld({
    services,
    dataDir,
    core: { ...core, dispatch },
    members: MEMBERS,
    now,
    print: (text) => void printed.push(text),
  })
  return { printed, login: await making.catch((error: Error) => error.message) }
}

/** How often each kind of event stands in the log. */
async function tally({ core }: World): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { type } of await core.log.readAll(START, 10_000)) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

test(
  'a demo world that was interrupted, again and again, is completed by later starts as if made at once',
  async () => {
    const [cut, whole] = [await emptyWorld(), await emptyWorld()]
    expect((await start(whole)).login).toEqual(DEMO_LOGIN)
    const starts = [await start(cut, 3)]
    while (starts.at(-1)?.login === 'killed') starts.push(await start(cut, 3 + 8 * starts.length))
    expect(starts.length).toBeGreaterThan(3)
    const last = starts.at(-1)!
    expect(last.login).toEqual(DEMO_LOGIN)
    expect(last.printed).toEqual([expect.stringContaining(`Completing the demo world of ${MEMBERS} synthetic members`)])
    expect(await countAccounts(cut.read)).toEqual({ members: 0, demo: MEMBERS })
    expect(await tally(cut)).toEqual(await tally(whole))
    const profiles = await cut.read.selectFrom('profile').select(['started', 'avatar']).execute()
    for (const { started, avatar } of profiles) expect([started, avatar]).toEqual([true, expect.any(String)])

    const head = await cut.core.log.head()
    expect(await start(cut)).toEqual({ printed: [], login: DEMO_LOGIN })
    expect(await cut.core.log.head()).toBe(head)
  },
  TWO_WORLDS_MS,
)

test('a stop in good order ends the making before all have joined', async () => {
  const world = await emptyWorld()
  const { core, services, dataDir, read } = world
  const stopping = new AbortController()
  const deps = { core, services, dataDir, members: 40, print: () => undefined, signal: stopping.signal }
  const making = ensureDemoWorld({ ...deps, now: () => new Date() })
  making.catch(() => undefined)
  await until('some have joined', async () => (await countAccounts(read)).demo >= 2, 60_000)
  stopping.abort(new Error('stop'))
  await expect(making).rejects.toThrow('stop')
  await world.settled()
  expect((await countAccounts(read)).demo).toBeLessThan(40)
})

test('a stop in good order begins no further picture', async () => {
  const { core, services, dataDir } = await emptyWorld()
  const stopping = new AbortController()
  let asked = 0
  const upload: typeof services.media.upload = async (given) => {
    asked++
    const uploaded = await services.media.upload(given)
    stopping.abort(new Error('stop'))
    return uploaded
  }
  const stopped = { ...services, media: { ...services.media, upload } }
  const deps = { core, services: stopped, dataDir, members: MEMBERS, print: () => undefined, signal: stopping.signal }
  await expect(ensureDemoWorld({ ...deps, now: () => new Date() })).rejects.toThrow('stop')
  expect(asked).toBe(1)
})

test("a stop ends the wait for others' uploads", async () => {
  const { core, services, dataDir } = await emptyWorld()
  const stopping = new AbortController()
  let asked = 0
  const upload: typeof services.media.upload = async () => {
    asked++
    return { ok: false, reason: 'busy' }
  }
  const busy = { ...services, media: { ...services.media, upload } }
  const deps = { core, services: busy, dataDir, members: MEMBERS, print: () => undefined, signal: stopping.signal }
  const making = ensureDemoWorld({ ...deps, now: () => new Date() })
  making.catch(() => undefined)
  await until('a picture waits', () => asked > 0, 60_000)
  stopping.abort(new Error('stop'))
  await expect(making).rejects.toThrow('stop')
})

test('it is completed also where somebody has signed up meanwhile', async () => {
  const world = await emptyWorld()
  expect((await start(world, 12)).login).toBe('killed')
  await world.member('Ann')
  expect((await start(world)).login).toEqual(DEMO_LOGIN)
  expect(await countAccounts(world.read)).toEqual({ members: 1, demo: MEMBERS })
})

test.each(['the sweep', 'the next start'])(
  'members whose registration was interrupted for hours are ended by %s and begin anew',
  async (ender) => {
    let passed = 0
    const now = () => new Date(Date.now() + passed)
    const cut = await emptyWorld(now)
    // Whoever these commands are of, none has come as far as a gallery.
    expect((await start(cut, 2)).login).toBe('killed')
    passed = PROOF_MS
    if (ender === 'the sweep') expect(await createUnfinishedSweep({ ...cut.product, now }).sweep()).toBeGreaterThan(0)
    expect((await start(cut, undefined, now)).login).toEqual(DEMO_LOGIN)
    expect(await countAccounts(cut.read)).toEqual({ members: 0, demo: MEMBERS })
    expect(await tally(cut)).toMatchObject({ EmailReleased: expect.any(Number) })
  },
  TWO_WORLDS_MS,
)

test('a picture that others keep from its turn for a long time is sent again and again', async () => {
  const world = await emptyWorld()
  const { media } = world.services
  let left = 6
  let late: unknown
  const busyForOne: typeof media = {
    ...media,
    async upload(one) {
      late ??= one.file
      return one.file === late && left-- > 0 ? { ok: false, reason: 'busy' } : media.upload(one)
    },
  }
  const { login } = await start({ ...world, services: { ...world.services, media: busyForOne } })
  expect([login, left]).toEqual([DEMO_LOGIN, -1])
  expect(await countAccounts(world.read)).toEqual({ members: 0, demo: MEMBERS })
})
