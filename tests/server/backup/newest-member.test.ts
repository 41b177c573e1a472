import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createToolPorts } from '../../../server/ports.ts'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { MANIFEST, manifestText } from '../../../server/tools/backup/manifest.ts'
import { restoreBackup } from '../../../server/tools/backup/restore.ts'
import { createAddressSweep } from '../../../server/tools/erasure/free.ts'
import { createUnfinishedSweep } from '../../../server/tools/erasure/unfinished.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { register } from '../../../usecases/register/register.ts'
import { runIn } from '../../support/fresh-database.ts'
import { newcomer, PASSWORD } from '../../support/newcomers.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { startWorld } from '../../support/world.ts'
import { emptyTarget, sourceOf, startOn } from './rig.ts'

test('whoever registers between the moment of the rows and that of the log can sign in or sign up after a restore', async () => {
  const world = await startWorld({ web: false })
  onTestFinished(() => world.stop())
  const visitor = await newcomer(world)
  const { host = '', port = 5432 } = world.logDatabase
  // The connection to the log's database takes as long as the last steps of a registration.
  const server = createServer(async (caller) => {
    caller.pause()
    const came = await register(world.context, {
      signupToken: visitor.signupToken,
      payload: visitor.payload,
      label: 'A',
    })
    expect(came).toMatchObject({ ok: true })
    const postgres = connect(join(host, `.s.PGSQL.${port}`))
    caller.pipe(postgres).pipe(caller)
    for (const socket of [caller, postgres]) socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const folder = join(makeTempDir('letsbuzz-newest-'), 'one')
  const log = { ...world.logDatabase, host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  await createBackup({ ...sourceOf(world), log }, folder)
  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  await restoreBackup(target, folder)
  const { product, stop } = await startOn(target, world)
  onTestFinished(stop)
  const later = () => new Date(Date.now() + 26 * 3_600_000)
  for (let round = 0; round < 2; round++) {
    await createUnfinishedSweep({ ...product, now: later }).sweep()
    await createAddressSweep({ ...product, now: later }).sweep()
  }
  const ports = createToolPorts(product.core, product.services, () => new Date())
  expect(await logIn(ports, { email: visitor.email, password: PASSWORD, label: 'A' })).toMatchObject({ ok: false })
  const again = await newcomer(
    { ...world, ...product, dataDir: target.dataDir, context: ports },
    { email: visitor.email },
  )
  const { signupToken, payload } = again
  expect(await register(ports, { signupToken, payload, label: 'A' })).toMatchObject({ ok: true })
})

test('a backup of a newer release is refused before anything of the target is touched', async () => {
  const world = await startWorld({ web: false })
  onTestFinished(() => world.stop())
  await world.member('Ann')
  const [source, folder] = [sourceOf(world), makeTempDir('letsbuzz-newer-')]
  await createBackup(source, join(folder, 'one'))
  const { manifest } = await createBackup(source, join(folder, 'newer'))
  const newer = manifestText(source.masterKey, { ...manifest, migration: '20990101T000000Z-next' })
  await writeFile(join(folder, 'newer', MANIFEST), newer)
  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  await restoreBackup(target, join(folder, 'one'))
  const keys = async () =>
    (await runIn(target.app, 'select subject, wrapped from app.subject_key order by subject')).rows
  const before = await keys()
  expect(before.length).toBeGreaterThan(0)
  const restored = restoreBackup({ ...target, force: true }, join(folder, 'newer'))
  await expect(restored).rejects.toThrow('The backup is of a newer version of the product')
  expect(await keys()).toEqual(before)
})
