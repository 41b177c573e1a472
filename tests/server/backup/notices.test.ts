import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRestoreNotices } from '../../../server/tools/backup/notices.ts'
import { createLogger } from '../../../services/log.ts'
import type { Mail, Mailer } from '../../../services/mailer.ts'
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

const owed = () => world.core.storage.app.selectFrom('restore_notice').selectAll().execute()
beforeEach(async () => {
  const notices = people.map(({ id }) => ({ member: id, backup_at: new Date(0), restored_at: new Date(60_000) }))
  await world.core.storage.app.insertInto('restore_notice').values(notices).execute()
})

function send(mailer: Mailer, upToDate = async () => true) {
  const { core, publicUrl } = world
  const logger = createLogger({ level: 'silent' })
  const sender = createRestoreNotices({ storage: core.storage, mailer, upToDate, publicUrl, logger })
  sender.start()
  return sender
}

/** Keeps what is sent, and refuses what `refuses` says. */
function mailerOf(refuses: (mail: Mail) => boolean = () => false, isUp: () => boolean = () => true) {
  const sent: string[] = []
  let tries = 0
  const mailer: Mailer = {
    async send(mail) {
      tries++
      if (refuses(mail)) throw new Error('Refused')
      sent.push(mail.to)
    },
    isUp: async () => isUp(),
  }
  return { mailer, sent, tries: () => tries }
}

const emails = () => people.map(({ email }) => email).sort()

test('of two senders each mails other members, and each member has one mail', async () => {
  const { mailer, sent } = mailerOf()
  const senders = [send(mailer), send(mailer)]
  await until('all are mailed', async () => (await owed()).length === 0)
  await Promise.all(senders.map((sender) => sender.stop()))
  expect([...sent].sort()).toEqual(emails())
})

test('an address that takes no mail is given up after five tries, behind the others', async () => {
  const [first] = people
  const { mailer, sent, tries } = mailerOf(({ to }) => to === first!.email)
  const sender = send(mailer)
  await until('all are mailed or given up', async () => (await owed()).length === 0)
  await sender.stop()
  expect([...sent].sort()).toEqual(emails().filter((email) => email !== first!.email))
  expect(tries()).toBe(2 + 5)
})

test('while nobody can have mail no try is spent on anybody but the first, and the rest is sent once it is up', async () => {
  let up = false
  const { mailer, sent, tries } = mailerOf(
    () => !up,
    () => up,
  )
  const sender = send(mailer)
  await until('the first is tried', () => tries() === 1)
  expect(await owed()).toHaveLength(3)
  up = true
  await until('all are mailed', async () => (await owed()).length === 0)
  await sender.stop()
  expect([...sent].sort()).toEqual(emails())
})

test('a process that ends leaves the others their notices', async () => {
  const sender = send(
    mailerOf(
      () => true,
      () => false,
    ).mailer,
  )
  await sender.stop()
  expect(await owed()).toHaveLength(3)
  await world.core.storage.app.deleteFrom('restore_notice').execute()
})

test('nobody is taken for gone while the read model of addresses is filled', async () => {
  let asked = 0
  let isFilled = false
  const { mailer, sent } = mailerOf()
  const sender = send(mailer, async () => {
    asked++
    return isFilled
  })
  await until('it has asked twice', () => asked > 1)
  expect([sent.length, (await owed()).length]).toEqual([0, 3])
  isFilled = true
  await until('all are mailed', async () => (await owed()).length === 0)
  await sender.stop()
  expect([...sent].sort()).toEqual(emails())
})
