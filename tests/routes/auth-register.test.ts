import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { registrationWorded } from '../../app/words/registration-words.server.ts'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createToolPorts } from '../../server/ports.ts'
import { createProduct } from '../../server/product.ts'
import { createLogger } from '../../services/log.ts'
import { eraseAccount } from '../../usecases/identity/erase-account.ts'
import { logIn } from '../../usecases/identity/log-in.ts'
import { sendCode } from '../../usecases/identity/send-code.ts'
import type { Ports } from '../../usecases/ports.ts'
import { register as enroll, type RegisterInput } from '../../usecases/register/register.ts'
import { newcomer, PASSWORD } from '../support/newcomers.ts'
import { startStrictWorld } from '../support/strict-world.ts'
import type { World } from '../support/world.ts'

let world: World
let context: Ports
beforeAll(async () => {
  ;({ world, context } = await startStrictWorld())
})
afterAll(() => world.stop())

const label = 'A test'
/** As the call and the wizard answer it. */
async function register(ports: Ports, input: RegisterInput) {
  const outcome = await enroll(ports, input)
  return outcome.ok ? outcome : registrationWorded(ports.config, outcome)
}
const DOB = 'Invalid date of birth. Please provide a valid date (18+).'
const INCOMPLETE = 'Please complete all required sections.'
const yearsAgo = (years: number, days = 0) => {
  const today = new Date()
  const date = new Date(Date.UTC(today.getUTCFullYear() - years, today.getUTCMonth(), today.getUTCDate() + days))
  return date.toISOString().slice(0, 10)
}

test('a registration makes a member who is signed in and can sign in again', async () => {
  const ada = await newcomer(world)
  const answer = await register(context, { ...ada, label })
  if (!answer.ok) throw new Error(answer.error)
  expect(await world.services.sessions.find(answer.value.token)).toMatchObject({ remember: true })
  const again = await logIn(context, { email: ada.email, password: PASSWORD, label })
  expect(again).toMatchObject({ ok: true, value: { member: answer.value.member, status: 'active' } })
  expect(await world.services.proofs.find(ada.signupToken)).toBeNull()
  expect(await world.services.media.list({ member: answer.value.member })).toHaveLength(2)
})

test('fifty registrations with one proof at once make one member', async () => {
  const ada = await newcomer(world)
  const answers = await Promise.all(Array.from({ length: 50 }, () => register(context, { ...ada, label })))
  const statuses = answers.map((answer) => (answer.ok ? 200 : answer.status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => ![200, 401, 409].includes(status))).toEqual([])
})

test('fifty registrations with one proof, half of them to another process, make one member', async () => {
  const { stores, config, publicUrl } = world
  const logger = createLogger({ level: 'silent' })
  const now = () => new Date()
  const roles = new Set(['web'] as const)
  const other = await createProduct({ stores, config: { ...config, roles }, publicUrl, now, logger })
  onTestFinished(() => other.stop())
  const elsewhere = { ...createToolPorts(other.core, other.services, now), limits: other.services.limits }
  const ada = await newcomer(world)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => register(n % 2 ? elsewhere : context, { ...ada, label })),
  )
  const statuses = answers.map((answer) => (answer.ok ? 200 : answer.status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => ![200, 401, 409].includes(status))).toEqual([])
  const made = answers.find((answer) => answer.ok)
  expect(await world.services.sessions.list(made!.value.member)).toHaveLength(1)
})

test.each(['ReserveEmail', 'Register', 'StartProfile', 'FillGallery', 'ConfirmEmail'])(
  'a registration that stops at %s resumes where it stopped',
  async (type) => {
    const ada = await newcomer(world)
    const broken: Ports = {
      ...context,
      dispatch: (decider, command, source) => {
        if ('type' in command && command.type === type) throw new Error('The power fails.')
        return context.dispatch(decider, command, source)
      },
    }
    await expect(register(broken, { ...ada, label })).rejects.toThrow('The power fails.')
    expect(await register(context, { ...ada, label })).toMatchObject({ ok: true })
    expect(await register(context, { ...ada, label })).toMatchObject({ ok: false, status: 409, code: 'registered' })
  },
)

test('the second of two proofs for one address finds it taken', async () => {
  const ada = await newcomer(world)
  const other = await newcomer(world, { email: ada.email.toUpperCase() })
  expect(await register(context, { ...ada, label })).toMatchObject({ ok: true })
  expect(await register(context, { ...other, label })).toMatchObject({
    status: 409,
    error: 'Registration failed. Please try again.',
  })
})

test('the address of a suspended account that was erased opens no other, and the mail says how to object', async () => {
  const erase = async (member: MemberId) => {
    const tools = { keys: world.core.keys, mailbox: null, actor: 'admin:test' }
    expect(await eraseAccount({ ...context, ...tools }, member)).toMatchObject({ ok: true })
  }
  const [max, moe] = [await world.join('Max'), await world.join('Moe')]
  await world.account(max, 'Suspend')
  for (const { id } of [max, moe]) await erase(id)
  const early = await newcomer(world, { email: max.email })
  expect(await sendCode({ ...context, ip: '192.0.2.99' }, { email: max.email })).toMatchObject({ ok: true })
  const mail = await world.mail(max.email)
  expect([mail?.subject, /\b\d{6}\b/.test(mail?.text ?? '')]).toEqual(['No LetsBuzz account for this address', false])
  expect(await register(context, { ...early, label })).toMatchObject({
    status: 409,
    error: 'Registration failed. Please try again.',
  })
  expect(await register(context, { ...(await newcomer(world, { email: moe.email })), label })).toMatchObject({
    ok: true,
  })
})

test('no proof, an unknown one and a used one meet the same words', async () => {
  const { payload } = await newcomer(world)
  for (const signupToken of [null, '', 'x'.repeat(43)]) {
    const answer = await register(context, { signupToken, payload, label })
    expect(answer).toMatchObject({ ok: false, status: 401, error: 'Invalid or expired code.' })
  }
})

test('what is missing or wrong is reported in the words of the spec, and the proof stays good', async () => {
  const ada = await newcomer(world)
  const cases: [object, string, string?][] = [
    [{ dob: '2001-02-29' }, DOB, 'dob'],
    [{ dob: 'yesterday' }, DOB, 'dob'],
    [{ dob: yearsAgo(-1) }, DOB, 'dob'],
    [{ photos: ada.payload.photos.slice(1) }, INCOMPLETE, 'photos'],
    [{ photos: undefined }, INCOMPLETE, 'photos'],
    [{ interests: [] }, INCOMPLETE, 'interests'],
    [{ interests: ['Music', 'Travel', 'Movies', 'Foodie', 'Sports', 'Art'] }, INCOMPLETE, 'interests'],
    [{ interests: ['Bird watching'] }, INCOMPLETE, 'interests'],
    [{ firstName: ' ' }, 'Please enter your first name, up to 50 characters.', 'firstName'],
    [{ interestedIn: [] }, 'Please choose whom you are interested in.', 'interestedIn'],
    [{ password: 'tiny' }, 'Password must be at least 6 characters.', 'password'],
    [
      { preferences: { ageRange: [17, 40], distanceMiles: 5 } },
      'Ages go from 18 to 100, the lower one first.',
      'ageMin',
    ],
    [
      { preferences: { ageRange: [50, 40], distanceMiles: 5 } },
      'Ages go from 18 to 100, the lower one first.',
      'ageMin',
    ],
    [
      { preferences: { ageRange: [18, 40], distanceMiles: 1001 } },
      'The distance goes from 0 to 1000 miles.',
      'distanceMiles',
    ],
    [{ phone: '12' }, 'Use the international form, like +14155550123.', 'phone'],
    [{ photos: ['https://evil.example/a.jpg', ada.payload.photos[0]] }, 'Invalid media'],
    [{ avatar: `/media/${'z'.repeat(24)}` }, 'Invalid media', 'avatar'],
    [{ voiceUrl: ada.payload.photos[0] }, 'Invalid media'],
  ]
  for (const [change, error, field] of cases) {
    const answer = await register(context, { ...ada, payload: { ...ada.payload, ...change }, label })
    expect(answer, JSON.stringify(change)).toMatchObject({ ok: false, status: 400, error })
    if (field) expect(answer).toHaveProperty(`fields.${field}`)
  }
  expect(await register(context, { ...ada, label })).toMatchObject({ ok: true })
})

test('photos of another visitor are no photos', async () => {
  const [ada, eve] = [await newcomer(world), await newcomer(world)]
  const payload = { ...eve.payload, photos: ada.payload.photos }
  expect(await register(context, { ...eve, payload, label })).toMatchObject({ status: 400, error: 'Invalid media' })
})

test('someone is eighteen on the day of their birthday', async () => {
  const ada = await newcomer(world)
  const payload = { ...ada.payload, dob: yearsAgo(18) }
  expect(await register(context, { ...ada, payload, label })).toMatchObject({ ok: true })
})

test('of someone under eighteen nothing stays but that their address is turned away for a day', async () => {
  const kim = await newcomer(world)
  const payload = { ...kim.payload, dob: yearsAgo(18, 1) }
  expect(await register(context, { ...kim, payload, label })).toMatchObject({ status: 400, error: DOB })
  expect(await world.services.media.list({ proof: kim.proof })).toEqual([])
  expect(await world.services.proofs.find(kim.signupToken)).toBeNull()
  expect(await world.services.credentials.findByEmail(kim.email)).toBeNull()
  // Lifted rates do not lift it.
  for (const where of [context, world.context]) {
    const older = await newcomer(world, { email: kim.email })
    expect(await register(where, { ...older, label })).toMatchObject({ status: 400, error: DOB })
    expect(await world.services.media.list({ proof: older.proof })).toEqual([])
  }
})
