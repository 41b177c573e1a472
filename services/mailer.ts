import { createTransport } from 'nodemailer'

/** One message to one address. */
export type Mail = { to: string; subject: string; text: string; html: string }
/** The door to the mail; throws when the message could not be handed over. */
export type Mailer = { send(mail: Mail): Promise<void> }

/** `url` such as smtps://user:secret@mail.example.com; `from` is the sender shown. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer & { close(): void } {
  const transport = createTransport({ url, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 })
  return {
    async send({ to, subject, text, html }) {
      // An address object: a comma or a line break in it makes no second receiver and no header.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html })
    },
    close: () => transport.close(),
  }
}
