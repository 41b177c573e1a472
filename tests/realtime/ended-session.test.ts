import { afterAll, beforeAll, expect, test } from 'vitest'
import { CloseCode } from '../../realtime/protocol.ts'
import { type NewSession, ORDINARY } from '../../services/sessions/sessions.ts'
import { endOtherSessions, endSession } from '../../usecases/identity/end-sessions.ts'
import { forgotPassword } from '../../usecases/identity/forgot-password.ts'
import { logOut } from '../../usecases/identity/log-out.ts'
import { resetPassword } from '../../usecases/identity/reset-password.ts'
import type { SignedIn } from '../../usecases/ports.ts'
import { withoutAppends } from '../support/acting/failing-log.ts'
import { signedInAs } from '../support/acting/signed-in.ts'
import { codeOf } from '../support/newcomers.ts'
import { until } from '../support/until.ts'
import type { World } from '../support/world.ts'
import type { Person } from '../support/world-people.ts'
import { type Served, startServed } from './served.ts'

let served: Served
let world: World
beforeAll(async () => {
  served = await startServed()
  world = served.world
})
afterAll(() => served.stop())

const socketOf = (token: string) => served.socketOf(token)
const open = (member: Person['id']) => world.services.sessions.create({ member, remember: true, label: 'Another' })
const DONE = { ok: true, value: null }

type Other = { who: Person; acting: SignedIn; other: NewSession }
const ENDS: Record<string, (of: Other) => Promise<void>> = {
  'ending one session': async ({ acting, other }) => {
    expect(await endSession(acting, { session: other.session.id })).toEqual(DONE)
  },
  'ending all others': async ({ acting }) => {
    expect(await endOtherSessions(acting)).toEqual(DONE)
  },
  'signing out': async ({ acting, other }) => {
    await logOut(acting, { viewer: { member: acting.who.member, session: other.session.id }, signupToken: null })
  },
  'a new password': async ({ who, acting }) => {
    await forgotPassword(world.context, { email: who.email })
    await until('the mail is there', () => world.mail(who.email))
    const reset = { email: who.email, code: await codeOf(world, who.email), newPassword: 'copper-meadow-77-train' }
    expect(await resetPassword(acting, reset)).toMatchObject({ ok: true })
  },
}

test.each(Object.entries(ENDS))(
  '%s succeeds though the log takes nothing; the socket closes and the event comes once when it does again',
  async (how, end) => {
    const who = await world.member('Ann')
    const other = await open(who.id)
    const peer = await socketOf(other.token)
    await end({ who, acting: withoutAppends(await signedInAs(world.context, who)), other })
    expect(await world.services.sessions.find(other.token)).toBeNull()
    expect(await until('the socket is closed', () => peer.closeCode, 8_000)).toBe(CloseCode.signedOut)
    const owed = () => world.core.storage.app.selectFrom('owed_command').select('id').execute()
    await until('nothing is owed', async () => (await owed()).length === 0)
    const types = (await world.core.log.read(`member-${who.id}`)).map(({ type }) => type)
    const wanted = how === 'a new password' ? ['PasswordChanged', 'SessionsRevoked'] : ['SessionsRevoked']
    expect(types.slice(-wanted.length).sort()).toEqual(wanted)
    expect(types.filter((type) => type === 'SessionsRevoked')).toHaveLength(1)
    if (how === 'a new password')
      await until('the mail about it is there', async () => /changed/i.test((await world.mail(who.email))!.subject))
  },
)

test('a socket closes whose session is gone without an event', async () => {
  const [bea, cat] = [await world.member('Bea'), await world.member('Cat')]
  const [gone, alive] = [await open(bea.id), await open(cat.id)]
  const [lost, kept] = [await socketOf(gone.token), await socketOf(alive.token)]
  await world.services.sessions.revoke(bea.id, gone.session.id)
  expect(await until('the socket is closed', () => lost.closeCode, 20_000)).toBe(CloseCode.signedOut)
  await kept.settled()
})

test('a socket closes whose session was not used for longer than it may be idle', async () => {
  const dora = await world.member('Dora')
  const ordinary = { member: dora.id, remember: false, label: 'A library' }
  const [idle, used] = [await world.services.sessions.create(ordinary), await world.services.sessions.create(ordinary)]
  const [lost, kept] = [await socketOf(idle.token), await socketOf(used.token)]
  const at = new Date(Date.now() - ORDINARY.idleMs)
  await world.core.storage.app
    .updateTable('session')
    .set({ created_at: at, last_seen_at: at })
    .where('id', '=', idle.session.id)
    .execute()
  expect(await until('the socket is closed', () => lost.closeCode, 20_000)).toBe(CloseCode.signedOut)
  await kept.settled()
})
