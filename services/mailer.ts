import { createTransport } from 'nodemailer'

/** One message to one address. */
export type Mail = { to: string; subject: string; text: string; html: string }
/** Sends mails. */
export type Mailer = {
  /** Throws when the message could not be handed over. */
  send(mail: Mail): Promise<void>
  /** False while nobody can have mail: asked of the server itself, never learnt from a message to somebody. */
  isUp(): Promise<boolean>
}

/** How long the result of a check of the server is used, and how long a check may take: some greet after six seconds alone. */
export const CHECK_REUSED_MS = 10_000
export const CHECK_TIMEOUT_MS = 10_000
/** Mails that wait for the server: with more nobody asks for another, who would wait behind them. */
export const WAITING_MOST = 100
/** How long a bad result answers while another check is under way. */
const DOWN_REUSED_MS = 30_000

type SmtpOptions = {
  /** Such as smtps://user:secret@mail.example.com */
  url: string
  /** The sender shown. */
  from: string
  /** Called at each check that finds the server away. */
  onDown?: (error: unknown) => void
}

export function createSmtpMailer({ url, from, onDown }: SmtpOptions): Mailer & { close(): void } {
  const transport = createTransport({ url, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 })
  const down = (error: unknown) => {
    onDown?.(error)
    return false
  }
  const answers = remembered(() => within(CHECK_TIMEOUT_MS, transport.verify()).then(() => true, down))
  let waiting = 0
  return {
    async send({ to, subject, text, html }) {
      waiting += 1
      // An address object: a comma or a line break in it makes no second receiver and no header.
      const sent = transport.sendMail({ from, to: { name: '', address: to }, subject, text, html }).catch(throwNamed)
      await sent.finally(() => {
        waiting -= 1
      })
    },
    isUp: async () => waiting < WAITING_MOST && (await answers()),
    close: () => transport.close(),
  }
}

/** The name is what a log line has of an error: its message may hold the address. */
function throwNamed(error: Error): never {
  throw Object.assign(error, { name: 'MailNotSent' })
}

/** Whether the mail server itself refused the mail. After a timeout, or a connection that is lost, it may have gone. */
export const isRefusal = (error: unknown): boolean =>
  Number((error as { responseCode?: unknown } | null | undefined)?.responseCode) >= 400

/** Whether the mail server answered, and does not take mail for this address: that was as much work as a mail. */
export const isOfAddress = (error: unknown): boolean =>
  (error as { command?: unknown } | null | undefined)?.command === 'RCPT TO'

function within(ms: number, answer: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(Object.assign(new Error(), { name: 'NoAnswer' })), ms)
    answer.then(resolve, reject)
    void answer.catch(() => undefined).finally(() => clearTimeout(late))
  })
}

/**
 * One check at a time, and none while the last result is used. Where it was bad lately nobody waits for the next check: a server that
 * is silent keeps nobody's place.
 */
function remembered(check: () => Promise<boolean>): () => Promise<boolean> {
  let last: { answer: Promise<boolean>; wasUp: boolean; at: number } | undefined
  let checking: Promise<boolean> | undefined
  const begin = () =>
    check()
      .then((isUp) => {
        last = { answer: Promise.resolve(isUp), wasUp: isUp, at: performance.now() }
        return isUp
      })
      .finally(() => {
        checking = undefined
      })
  return () => {
    const age = last ? performance.now() - last.at : Number.POSITIVE_INFINITY
    if (last && age < CHECK_REUSED_MS) return last.answer
    checking ??= begin()
    return last && !last.wasUp && age < DOWN_REUSED_MS ? last.answer : checking
  }
}
