import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createToolPorts } from '../../../server/ports.ts'
import type { Product } from '../../../server/product.ts'
import { createBackup } from '../../../server/tools/backup/create.ts'
import { restoreBackup } from '../../../server/tools/backup/restore.ts'
import { Peer } from '../../realtime/peer.ts'
import { makeTempDir } from '../../support/temp-folder.ts'
import { startWorld, type World } from '../../support/world.ts'
import { createPeople } from '../../support/world-people.ts'
import { emptyTarget, sourceOf, startOn } from './rig.ts'

type From = { readonly last?: string; readonly epoch?: string }

/** A socket of whoever has the token, which was sent what it missed. */
async function socketOf({ live }: Product, { publicUrl }: World, token: string, from: From = {}) {
  const web = createServer((_request, response) => response.writeHead(404).end())
  web.on('upgrade', (incoming, socket, head) => live?.handleUpgrade(incoming, socket, head))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const peer = new Peer((web.address() as AddressInfo).port, { origin: publicUrl })
  onTestFinished(() => {
    peer.ws.terminate()
    web.close()
  })
  await peer.opened
  peer.send({ type: 'auth', token, ...from })
  const { epoch } = await peer.next('ready')
  await peer.settled()
  return { peer, epoch }
}

test('a socket of before a restore loads again in the log that came back, though that has grown past it', async () => {
  const folder = makeTempDir('letsbuzz-epoch-')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const world = await startWorld({ web: false })
  onTestFinished(() => world.stop())
  const [ann, bea] = [await world.member('Ann'), await world.member('Bea')]
  await world.match(ann, bea)
  await world.settled()
  await world.core.storage.pool.query(`insert into app.set_back values ($1, 'earlier', now())`, [
    await world.core.log.id(),
  ])
  const { manifest } = await createBackup(sourceOf(world), join(folder, 'backup'))
  expect(manifest.tables.map(({ name }) => name)).not.toContain('set_back')
  const first = await socketOf(world.product, world, bea.token)
  for (let number = 1; number <= 5; number++) await world.sendMessage(ann, bea, `Gone ${number}`)
  const { pos: last } = await first.peer.event('direct:message', 5)

  const target = await emptyTarget(world)
  onTestFinished(() => target.drop())
  await restoreBackup(target, join(folder, 'backup'))
  const again = await startOn(target, world)
  onTestFinished(() => again.stop())
  const { core, services } = again.product
  const people = createPeople(
    createToolPorts(core, services, () => new Date()),
    again.product,
    target.dataDir,
  )
  for (let number = 1; number <= 8; number++) await people.sendMessage(ann, bea, `New ${number}`)
  expect([await core.log.id(), (await core.log.head()) > last]).toEqual([await world.core.log.id(), true])
  const { token } = await services.sessions.create({ member: bea.id, remember: true, label: 'x' })
  const second = await socketOf(again.product, world, token, { last, epoch: first.epoch })
  expect(second.epoch).not.toBe(first.epoch)
  expect(await second.peer.next('resync')).toEqual({ type: 'resync', reason: 'epoch' })
})
