import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMailbox } from '../../services/mailbox.ts'
import { CHECK_REUSED_MS, CHECK_TIMEOUT_MS, createSmtpMailer, WAITING_MOST } from '../../services/mailer.ts'
import {
  alreadyMemberMail,
  passwordChangedMail,
  resetCodeMail,
  restoredMail,
  signupCodeMail,
} from '../../services/mails.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()

test('a code stands alone on its line, and in the page', () => {
  const link = 'http://localhost:3000/reset?token=abc&x=1'
  for (const { text: plain, html } of [signupCodeMail('012345'), resetCodeMail({ code: '012345', link })]) {
    expect(plain.split('\n')).toContain('012345')
    expect(html).toContain('>012345<')
  }
  const reset = resetCodeMail({ code: '012345', link })
  expect(reset.text.split('\n')).toContain(link)
  expect(reset.html).toContain('href="http://localhost:3000/reset?token=abc&amp;x=1"')
})

test('nothing in a mail becomes markup', () => {
  const evil = '"><script>alert(1)</script>'
  const mails = [signupCodeMail(evil), alreadyMemberMail({ loginUrl: evil }), resetCodeMail({ code: evil, link: evil })]
  for (const { html } of mails) expect(html).not.toContain('<script>')
  const changed = passwordChangedMail({
    resetUrl: 'http://localhost/reset',
    at: new Date('2026-03-01T12:34:00Z'),
    undo: null,
  })
  expect(changed.text).toContain('2026-03-01 12:34 UTC')
})

test('the mail after a restore names what may be undone of a password and of 2-step verification', () => {
  const [backupAt, restoredAt] = [new Date('2026-03-01T12:34:00Z'), new Date('2026-03-02T12:34:00Z')]
  const { text: plain } = restoredMail({ resetUrl: 'http://localhost/reset', backupAt, restoredAt })
  expect(plain).toContain('If you turned 2-step verification on in that time, it is off again')
  expect(plain).toContain('your old one is valid again')
})

test('the mailbox shows the newest first, of one address if asked, and keeps a thousand', async () => {
  const now = testClock()
  const mailbox = createMailbox({ db: app.db, now })
  for (const n of [1, 2, 3]) {
    await mailbox.send({ to: n === 2 ? 'Bea@example.com' : 'ann@example.com', ...signupCodeMail(`00000${n}`) })
    now.pass(1000)
  }
  const subjects = (mails: { subject: string }[]) => mails.map(({ subject }) => subject.slice(0, 6))
  expect(subjects(await mailbox.list())).toEqual(['000003', '000002', '000001'])
  expect(subjects(await mailbox.list({ to: ' ANN@example.com' }))).toEqual(['000003', '000001'])
  const [bea] = await mailbox.list({ to: 'bea@example.com' })
  expect(bea).toMatchObject({ to: 'bea@example.com', at: new Date('2026-03-01T12:00:01Z') })
  for (let n = 0; n < 1000; n++) await mailbox.send({ to: 'cem@example.com', subject: 's', text: 't', html: 'h' })
  expect(await mailbox.list({ to: 'ann@example.com' })).toEqual([])
  expect(await mailbox.list()).toHaveLength(1000)
})

test('a mail server receives one message for one address, however the address is written', async () => {
  const received: { to: string[]; raw: Promise<string> }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address)
      const raw = text(stream)
      received.push({ to, raw })
      raw.then(() => done(), done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'LetsBuzz <hello@example.com>' })
  onTestFinished(() => {
    mailer.close()
    return new Promise<void>((resolve) => server.close(resolve))
  })
  await mailer.send({ to: 'ann@example.com', ...signupCodeMail('123456') })
  await mailer
    .send({ to: 'ann@example.com\r\nBcc: eve@example.com', ...signupCodeMail('123456') })
    .catch(() => undefined)
  await mailer.send({ to: 'ann@example.com, eve@example.com', ...signupCodeMail('123456') }).catch(() => undefined)
  expect(received.flatMap(({ to }) => to)).not.toContain('eve@example.com')
  const mail = await PostalMime.parse(await received[0]!.raw)
  expect(mail).toMatchObject({ subject: '123456 is your LetsBuzz code', to: [{ address: 'ann@example.com' }] })
  expect(mail.text?.split('\n').map((line) => line.trim())).toContain('123456')
})

test('whether mail goes out is asked of the server, whatever became of one message, and asked again in time', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let looks = 0
  const options = { authOptional: true, disabledCommands: ['STARTTLS'] }
  const server = new SMTPServer({
    ...options,
    onConnect: (_session, done) => {
      looks++
      done()
    },
    onRcptTo: (_address, _session, done) => done(new Error('No such box.')),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const found: unknown[] = []
  const onDown = (error: unknown) => void found.push(error)
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'LetsBuzz <hello@example.com>', onDown })
  onTestFinished(() => {
    vi.useRealTimers()
    mailer.close()
  })
  expect(await Promise.all(Array.from({ length: 20 }, () => mailer.isUp()))).toEqual(Array(20).fill(true))
  expect(looks).toBe(1)
  await expect(mailer.send({ to: 'ann@example.com', ...signupCodeMail('123456') })).rejects.toThrow('No such box.')
  expect(await mailer.isUp()).toBe(true)
  await new Promise<void>((resolve) => server.close(resolve))
  expect(await mailer.isUp()).toBe(true)
  vi.advanceTimersByTime(CHECK_REUSED_MS)
  expect(found).toEqual([])
  expect(await mailer.isUp()).toBe(false)
  expect(found).toEqual([expect.objectContaining({ code: 'ESOCKET' })])
})

test('a server with a hundred mails before it is asked for no other until it has taken some', async () => {
  let take = () => {}
  const taken = new Promise<void>((resolve) => {
    take = resolve
  })
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void text(stream).then(() => taken.then(() => done())),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'LetsBuzz <hello@example.com>' })
  onTestFinished(async () => {
    mailer.close()
    await new Promise<void>((resolve) => server.close(resolve))
  })
  expect(await mailer.isUp()).toBe(true)
  const mails = Array.from({ length: WAITING_MOST }, () =>
    mailer.send({ to: 'ann@example.com', ...signupCodeMail('123456') }),
  )
  expect(await mailer.isUp()).toBe(false)
  take()
  await Promise.all(mails)
  expect(await mailer.isUp()).toBe(true)
})

test('a server that takes the connection and keeps silent is down', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const found: unknown[] = []
  const onDown = (error: unknown) => void found.push(error)
  const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, from: 'LetsBuzz <hello@example.com>', onDown })
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
    mailer.close()
    silent.close()
  })
  const connected = once(silent, 'connection')
  const asked = mailer.isUp()
  const [socket] = await connected
  vi.advanceTimersByTime(CHECK_TIMEOUT_MS)
  expect(await asked).toBe(false)
  expect(found).toEqual([expect.objectContaining({ name: 'NoAnswer' })])
  socket.destroy()
  // Nobody waits for the next look.
  vi.advanceTimersByTime(CHECK_REUSED_MS)
  const asks = once(silent, 'connection')
  expect(await mailer.isUp()).toBe(false)
  const [again] = await asks
  again.destroy()
})
