import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { hours } from '../../../domain/shared/dates.ts'
import { createRestoreNotices } from '../../../server/tools/backup/notices.ts'
import { createLogger } from '../../../services/log.ts'
import { createSmtpMailer, type Mail, type Mailer } from '../../../services/mailer.ts'
import { until } from '../../support/until.ts'
import { startWorld, type World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

let world: World
let people: Person[]
beforeAll(async () => {
  world = await startWorld({ web: false })
  people = [await world.member('Ann'), await world.member('Bea'), await world.member('Cid')]
  await world.settled()
})
afterAll(() => world.stop())

const RESTORED_AT = new Date(60_000)
/** The senders' clock: every wait of theirs is over at once, and moves it. */
let time = 0

const owed = () => world.core.storage.app.selectFrom('restore_notice').selectAll().execute()
beforeEach(async () => {
  time = RESTORED_AT.getTime()
  const notices = people.map(({ id }) => ({ member: id, backup_at: new Date(0), restored_at: RESTORED_AT }))
  await world.core.storage.app.insertInto('restore_notice').values(notices).execute()
})

function send(mailer: Mailer, { upToDate = async () => true, lines = [] as string[] } = {}) {
  const { core, publicUrl } = world
  const sender = createRestoreNotices({
    storage: core.storage,
    mailer,
    upToDate,
    publicUrl,
    now: () => new Date(time),
    logger: createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } }),
    async pause(ms) {
      time += ms
      await new Promise(setImmediate)
    },
  })
  // Also where the test failed: without its database it would go on for ever.
  onTestFinished(() => sender.stop())
  sender.start()
  return sender
}

type Answer = { readonly responseCode: number; readonly command: string; readonly response?: string } | null
const TAKEN: Answer = null
const refused = (response: string): Answer => ({
  responseCode: Number(response.slice(0, 3)),
  command: 'RCPT TO',
  response,
})
const GONE = refused('550 5.1.1 <somebody>: Recipient address rejected: User unknown')
const LATER = refused('454 4.7.1 Try again later')

/** Keeps what is sent, when and to whom, and refuses what `answer` refuses. */
function mailerOf(answer: (mail: Mail) => Answer | Promise<Answer> = () => TAKEN, isUp: () => boolean = () => true) {
  const sent: string[] = []
  const tried: { to: string; at: number }[] = []
  const mailer: Mailer = {
    async send(mail) {
      tried.push({ to: mail.to, at: time - RESTORED_AT.getTime() })
      const refused = await answer(mail)
      if (refused) throw Object.assign(new Error(), { name: 'MailNotSent' }, refused)
      sent.push(mail.to)
    },
    isUp: async () => isUp(),
  }
  return { mailer, sent, tried }
}

const allGone = () => until('nobody is owed a notice', async () => (await owed()).length === 0, 40_000)
async function sendAll(...what: Parameters<typeof send>): Promise<void> {
  const sender = send(...what)
  await allGone()
  await sender.stop()
}
const emails = () => people.map(({ email }) => email).sort()

test('of two senders each mails other members, and each member has one mail', async () => {
  const { mailer, sent } = mailerOf()
  const senders = [send(mailer), send(mailer)]
  await allGone()
  await Promise.all(senders.map((sender) => sender.stop()))
  expect([...sent].sort()).toEqual(emails())
})

/** Notices are sent in the order of these. */
const inTurn = () => [...people].sort((a, b) => (a.id < b.id ? -1 : 1))

test('an address that is unknown to a server that takes mail is given up at once, and delays nobody', async () => {
  const gone = inTurn()[1]!
  const { mailer, sent, tried } = mailerOf(({ to }) => (to === gone.email ? GONE : TAKEN))
  const lines: string[] = []
  await sendAll(mailer, { lines })
  expect([...sent].sort()).toEqual(emails().filter((email) => email !== gone.email))
  expect(tried.map(({ at }) => at)).toEqual([0, 0, 0])
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([40])
  expect(lines.join()).not.toContain(gone.email)
})

test('an unknown address is known by what a mail server answers on the wire', async () => {
  const gone = inTurn()[1]!
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) =>
      done(address === gone.email ? Object.assign(new Error('5.1.1 User unknown'), { responseCode: 550 }) : null),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'hello@example.com' })
  onTestFinished(() => {
    mailer.close()
    return new Promise<void>((resolve) => server.close(resolve))
  })
  const lines: string[] = []
  await sendAll(mailer, { lines })
  expect([time, lines.map((line) => JSON.parse(line).level)]).toEqual([RESTORED_AT.getTime(), [40]])
})

const NOT_OF_THE_ADDRESS = [
  '554 5.7.1 <somebody>: Relay access denied',
  '550 5.1.8 <sender>: Sender address rejected: Domain not found',
  '550 Your network is on a blocklist',
]
test.each(NOT_OF_THE_ADDRESS)('"%s" for everybody keeps every notice', async (response) => {
  const rounds = 5
  let owedThen = 0
  const { mailer, sent, tried } = mailerOf(async () => {
    if (tried.length === people.length * rounds) owedThen = (await owed()).length
    return tried.length <= people.length * rounds ? refused(response) : TAKEN
  })
  await sendAll(mailer)
  expect(owedThen).toBe(3)
  expect([...sent].sort()).toEqual(emails())
})

test('"554 5.7.1" for one address, from a server that takes mail, is tried for 72 hours', async () => {
  const last = inTurn()[2]!
  const { mailer, tried } = mailerOf(({ to }) => (to === last.email ? refused(NOT_OF_THE_ADDRESS[0]!) : TAKEN))
  await sendAll(mailer)
  expect(tried.at(-1)!.at).toBeGreaterThanOrEqual(hours(72))
})

test('a server that takes no notice at all gives nobody up, not even after 72 hours, and is logged each hour', async () => {
  const end = hours(100)
  let owedThen = 0
  const { mailer, sent } = mailerOf(async ({ to }) => {
    if (time - RESTORED_AT.getTime() >= end) return TAKEN
    owedThen = (await owed()).length
    return to === people[0]!.email ? GONE : LATER
  })
  const lines: string[] = []
  await sendAll(mailer, { lines })
  expect(owedThen).toBe(3)
  expect([...sent].sort()).toEqual(emails())
  const levels = lines.map((line) => JSON.parse(line).level)
  expect([levels.length > 90, levels.length <= 101, new Set(levels)]).toEqual([true, true, new Set([50])])
})

test('that a server takes mail is known still after a restart', async () => {
  const last = inTurn()[2]!
  const { mailer, sent, tried } = mailerOf(({ to }) => (to === last.email ? LATER : TAKEN))
  const before = send(mailer)
  await until('one is left', () => tried.length > 5)
  await before.stop()
  const after = send(mailer)
  await allGone()
  await after.stop()
  expect(sent).toHaveLength(2)
})

test('a server that is up and asks to come back later keeps every notice', async () => {
  const rounds = 6
  let owedThen = 0
  const { mailer, sent, tried } = mailerOf(async () => {
    if (tried.length === people.length * rounds) owedThen = (await owed()).length
    return tried.length <= people.length * rounds ? LATER : TAKEN
  })
  await sendAll(mailer)
  expect(owedThen).toBe(3)
  expect([...sent].sort()).toEqual(emails())
  const ofOne = tried.filter(({ to }) => to === people[0]!.email).map(({ at }) => at)
  const waits = ofOne.slice(1).map((at, index) => at - ofOne[index]!)
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000])
})

test('an address that is to wait holds up nobody, and is given up with an error after 72 hours', async () => {
  const [first] = people
  const { mailer, sent, tried } = mailerOf(({ to }) => (to === first!.email ? LATER : TAKEN))
  const lines: string[] = []
  await sendAll(mailer, { lines })
  expect([...sent].sort()).toEqual(emails().filter((email) => email !== first!.email))
  const others = tried.filter(({ to }) => to !== first!.email)
  expect(others.map(({ at }) => at)).toEqual([0, 0])
  const last = tried.at(-1)!.at
  expect([last >= hours(72), last < hours(73)]).toEqual([true, true])
  expect(lines.map((line) => JSON.parse(line).level)).toEqual([50])
})

/** A server that is away for 73 hours after the restore; each address is known to it from the second try on. */
function greylisting() {
  const known = new Set<string>()
  const answer = ({ to }: Mail) => {
    if (known.has(to)) return TAKEN
    known.add(to)
    return LATER
  }
  return mailerOf(answer, () => {
    if (time >= RESTORED_AT.getTime() + hours(73)) return true
    time += hours(1)
    return false
  })
}

test.each([
  ['no start', hours(73)],
  ['a mail server away', 0],
])('%s until 73 hours after the restore spends no try, and everybody is mailed after it', async (_, startsAfter) => {
  time += startsAfter
  const { mailer, sent } = greylisting()
  await sendAll(mailer)
  expect([...sent].sort()).toEqual(emails())
})

test('a server that refuses the sender or the message for good gives nobody up', async () => {
  const { mailer, sent, tried } = mailerOf(() =>
    tried.length <= 6 ? { responseCode: 550, command: tried.length <= 3 ? 'MAIL FROM' : 'DATA' } : TAKEN,
  )
  await sendAll(mailer)
  expect([...sent].sort()).toEqual(emails())
})

test('while nobody can have mail no try is spent on anybody, and all is sent once the server is up', async () => {
  let asked = 0
  let up = false
  const { mailer, sent, tried } = mailerOf(
    () => TAKEN,
    () => {
      asked++
      return up
    },
  )
  send(mailer)
  await until('it has asked some times', () => asked > 5)
  expect([tried.length, (await owed()).map(({ tries }) => tries)]).toEqual([0, [0, 0, 0]])
  up = true
  await allGone()
  expect([...sent].sort()).toEqual(emails())
})

test('a process that ends leaves the others their notices', async () => {
  const sender = send(
    mailerOf(
      () => LATER,
      () => false,
    ).mailer,
  )
  await sender.stop()
  expect(await owed()).toHaveLength(3)
  await world.core.storage.app.deleteFrom('restore_notice').execute()
})

test('a sender stays for the notices that another one has taken, and mails them when that one dies', async () => {
  const dying = await world.core.storage.pool.connect()
  await dying.query('begin')
  await dying.query('select from app.restore_notice for update')
  const { mailer, sent } = mailerOf()
  send(mailer)
  await until('it has waited for the other', () => time > RESTORED_AT.getTime())
  expect(sent).toEqual([])
  await dying.query('rollback')
  dying.release()
  await allGone()
  expect([...sent].sort()).toEqual(emails())
})

test('nobody is taken for gone while the read model of addresses is filled', async () => {
  let asked = 0
  let isFilled = false
  const { mailer, sent } = mailerOf()
  send(mailer, {
    upToDate: async () => {
      asked++
      return isFilled
    },
  })
  await until('it has asked twice', () => asked > 1)
  expect([sent.length, (await owed()).length]).toEqual([0, 3])
  isFilled = true
  await allGone()
  expect([...sent].sort()).toEqual(emails())
})
