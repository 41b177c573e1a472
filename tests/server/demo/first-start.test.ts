import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { countAccounts } from '../../../projections/accounts/queries.ts'
import { findSeeker, getDeck } from '../../../projections/discover/queries.ts'
import { listLikedYou, listMatches } from '../../../projections/relations/queries.ts'
import { DEMO_LOGIN, findDemoMember } from '../../../server/demo/login.ts'
import { refuseDemoLogin } from '../../../server/demo/refuse-login.ts'
import { ensureDemoWorld } from '../../../server/demo/world.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { freePort, startProgram } from '../../drills/program-child.ts'
import { layCluster } from '../../support/cluster.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { startWorld } from '../../support/world.ts'
import { drawnSmall } from './small-pictures.ts'

test('no demo world is made where a real member exists', async () => {
  const world = await startWorld({ web: false })
  onTestFinished(() => world.stop())
  await world.member('Ann')
  const { core, services } = world
  const login = await ensureDemoWorld({
    core,
    services,
    now: () => new Date(),
    dataDir: world.dataDir,
    print: () => expect.fail('It says something.'),
  })
  expect(login).toBeNull()
  expect(await countAccounts(world.read)).toEqual({ members: 1, demo: 0 })
})

test('the demo login works before anybody else joins', async () => {
  const world = await startWorld({ web: false })
  onTestFinished(() => world.stop())
  const { core, dataDir, context, read } = world
  const services = drawnSmall(world.services)
  const stopping = new AbortController()
  const seen: unknown[] = []
  const making = ensureDemoWorld({
    core,
    services,
    dataDir,
    now: () => new Date(),
    members: 100,
    print: () => undefined,
    signal: stopping.signal,
    onLogin() {
      seen.push(Promise.all([logIn(context, { ...DEMO_LOGIN, label: 'A test' }), countAccounts(read)]))
      stopping.abort(new Error('stop'))
    },
  })
  await expect(making).rejects.toThrow('stop')
  expect(await Promise.all(seen)).toEqual([[expect.objectContaining({ ok: true }), { members: 0, demo: 1 }]])
})

test('no site is served from data with the demo login while its password is the printed one', async () => {
  const find = async () => DEMO_LOGIN
  await expect(refuseDemoLogin({ mode: 'production' }, find)).rejects.toThrow(/demo login.*admin -- erase demo@/)
  await refuseDemoLogin({ mode: 'local' }, find)
  await refuseDemoLogin({ mode: 'production' }, async () => null)
})

test('whoever follows the first start to its address logs in at the first try', async () => {
  const dataDir = makeTempDir('letsbuzz-first-')
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await layCluster(join(dataDir, 'postgres'))
  const program = await startProgram({ dataDir, port: await freePort(), demo: true })
  onTestFinished(() => program.stop())
  const answer = await fetch(`${program.url}/login`, {
    method: 'POST',
    headers: { Origin: program.url },
    body: new URLSearchParams(DEMO_LOGIN),
    redirect: 'manual',
  })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
}, 120_000)

test('the demo login has matches, likes and a deck while others still join', async () => {
  const world = await startWorld({ web: false })
  onTestFinished(() => world.stop())
  const { core, dataDir, read } = world
  const services = drawnSmall(world.services)
  const stopping = new AbortController()
  const greeted: unknown[] = []
  const making = ensureDemoWorld({
    core,
    services,
    dataDir,
    now: () => new Date(),
    members: 100,
    print: () => undefined,
    signal: stopping.signal,
    greet(login) {
      greeted.push(login)
      stopping.abort(new Error('stop'))
    },
  })
  await expect(making).rejects.toThrow('stop')
  expect(greeted).toEqual([DEMO_LOGIN])
  await world.settled()
  expect((await countAccounts(read)).demo).toBeLessThan(100)
  const [me, now] = [(await findDemoMember(services))!, new Date()]
  expect((await listMatches(read, me)).items).toHaveLength(3)
  expect((await listLikedYou(read, me, { now, eligible: false })).items.length).toBeGreaterThan(0)
  expect((await getDeck(read, await findSeeker(read, me, now), {}, now)).users.length).toBeGreaterThan(0)
}, 120_000)
