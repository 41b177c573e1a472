import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MessageId } from '../../domain/shared/ids.ts'
import { findSeeker, getDeck } from '../../projections/discover/queries.ts'
import { listMatches } from '../../projections/relations/queries.ts'
import { findAccess } from '../../projections/view/access.ts'
import { CloseCode } from '../../realtime/protocol.ts'
import { type AdminRequest, administer } from '../../server/tools/admin/commands.ts'
import { actingAs } from '../../usecases/acting.ts'
import { logIn } from '../../usecases/identity/log-in.ts'
import { report } from '../../usecases/safety/report.ts'
import { Peer } from '../realtime/peer.ts'
import { until } from '../support/until.ts'
import { startWorld, type World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'

let world: World
const sockets = createServer()
beforeAll(async () => {
  world = await startWorld({ web: false })
  sockets.on('upgrade', (incoming, socket, head) =>
    world.product.live?.handleUpgrade(incoming, socket, head, { origin: world.publicUrl, network: '' }),
  )
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await world.stop()
  sockets.close()
})

async function admin(words: readonly string[], more: Partial<AdminRequest> = {}): Promise<string> {
  const lines = await administer(world.product, { words, yes: false, ...more })
  await world.settled()
  return lines.join('\n')
}

async function socketOf(person: Person): Promise<Peer> {
  const { port } = sockets.address() as AddressInfo
  const peer = new Peer(port, { origin: world.publicUrl, headers: { Cookie: person.cookie } })
  await peer.opened
  peer.send({ type: 'auth' })
  await peer.next('ready')
  return peer
}

async function reportMember(by: Person, about: Person, reason: string, message?: string): Promise<string> {
  const pointed = message as MessageId | undefined
  const outcome = await report(actingAs(world.context, by.id), {
    target: about.id,
    reason,
    message: pointed,
    commandId: randomUUID(),
  })
  await world.settled()
  return outcome.ok ? outcome.value.report : expect.fail(outcome.reason)
}

const signIn = (person: Person) =>
  logIn(world.context, { email: person.email, password: person.password, label: 'A test' })

test('a report stands in the list until it is closed, with its evidence', async () => {
  const [ann, ben] = [await world.member('Ann'), await world.member('Ben')]
  expect(await admin(['reports'])).toBe('No case is open.')
  await world.match(ann, ben)
  await world.settled()
  const message = randomUUID()
  await world.sendMessage(ben, ann, 'Send me \u001b[31mmoney', message)
  await world.settled()
  const id = await reportMember(ann, ben, 'Asks for money', message)
  expect(await reportMember(ann, ben, 'And again')).toBe(id)
  const list = await admin(['reports'])
  expect(list).toContain(`${ann.id} about ${ben.id}  2x`)
  expect(list).not.toContain('Asks for money')
  const shown = await admin(['report', id])
  expect(shown).toContain(`About ${ben.id} (active)`)
  for (const words of ['"Asks for money"', '"And again"', '"Ben"', `points at message ${message}`])
    expect(shown).toContain(words)
  expect(shown).toMatch(/> .+ {2}reported: "Send me .*money"/)
  expect(shown).not.toContain('\u001b')
  const looks = await world.core.codec.decode(await world.core.log.read('audit-cli'))
  for (const member of [ann.id, ben.id])
    expect(looks).toContainEqual(expect.objectContaining({ type: 'AccountViewed', member, view: 'case' }))
  expect(await admin(['close', id])).toBe(`Case ${id} is closed without action.`)
  expect(await admin(['close', id])).toBe(`Case ${id} is closed already (no-action).`)
  expect(await admin(['reports'])).toBe('No case is open.')
  expect(await reportMember(ann, ben, 'Once more')).not.toBe(id)
})

test('a suspension closes sessions within a second, hides the member everywhere and closes the cases', async () => {
  const [cat, dan] = [await world.member('Cat'), await world.member('Dan')]
  await world.match(cat, dan)
  const id = await reportMember(cat, dan, 'Insults')
  const peer = await socketOf(dan)
  const shut = admin(['suspend', dan.email], { reason: 'Insults', yes: true })
  expect(await shut).toBe(`${dan.id} is suspended: 1 session ended, 1 case closed.`)
  expect(await until('the socket closes', () => peer.closeCode, 1_000)).toBe(CloseCode.signedOut)
  expect(await world.services.sessions.find(dan.token)).toBeNull()
  expect(await world.services.sessions.list(dan.id)).toEqual([])
  expect(await findAccess(world.read, cat.id, dan.id)).toBeNull()
  expect((await listMatches(world.read, cat.id)).items).toEqual([])
  const deck = await getDeck(world.read, await findSeeker(world.read, cat.id, new Date()), {}, new Date())
  expect(deck.users.map((card) => card.id)).not.toContain(dan.id)
  expect(await signIn(dan)).toEqual({ ok: false, reason: 'suspended' })
  expect(await admin(['report', id])).toContain(`Case ${id}: suspended`)
  expect(await admin(['find', dan.email])).toContain(`${dan.id}: suspended`)
})

test('a suspension may come again, and ends with a reinstatement', async () => {
  const eva = await world.member('Eva')
  await admin(['suspend', eva.id], { reason: 'Spam', yes: true })
  const head = await world.core.log.head()
  expect(await admin(['suspend', eva.id], { reason: 'Spam', yes: true })).toContain('is suspended: 0 sessions ended')
  expect(await world.core.log.head()).toBe(head)
  expect(await admin(['reinstate', eva.email])).toBe(`${eva.id} is reinstated and may sign in again.`)
  expect(await signIn(eva)).toMatchObject({ ok: true })
  await expect(admin(['reinstate', eva.email])).rejects.toThrow(`${eva.id} is not suspended, but active.`)
})

test('a deactivation signs the member out, who may come back', async () => {
  const fay = await world.member('Fay')
  const peer = await socketOf(fay)
  expect(await admin(['deactivate', fay.email])).toBe(`${fay.id} is deactivated: 1 session ended.`)
  expect(await peer.closed).toBe(CloseCode.signedOut)
  expect(await signIn(fay)).toMatchObject({ ok: true, value: { status: 'deactivated' } })
})

test('nothing is shut or erased without a yes, a reason and a member', async () => {
  const gus = await world.member('Gus')
  const head = await world.core.log.head()
  const wrong: [string[], Partial<AdminRequest>, RegExp][] = [
    [['suspend', gus.id], { reason: 'Spam' }, /Add --yes/],
    [['suspend', gus.id], { yes: true }, /wants --reason/],
    [['suspend', gus.id], { yes: true, reason: '  ' }, /wants --reason/],
    [['erase', gus.id], {}, /Add --yes/],
    [['erase', 'nobody@example.com'], { yes: true }, /^Nobody is known by/],
    [['find', 'x'.repeat(24)], {}, /^Nobody is known by/],
    [['report', 'nothing'], {}, /^There is no case nothing/],
    [['suspend'], { yes: true }, /suspend wants a member/],
    [['reports', 'all'], {}, /one word too many/],
    [['constructor', 'x'], {}, /There is no command/],
  ]
  for (const [words, more, message] of wrong) await expect(admin(words, more)).rejects.toThrow(message)
  expect(await world.core.log.head()).toBe(head)
})
