import type { Mailbox, StoredMail } from '../../../services/mailbox.ts'
import { type Client, isLoopback } from '../client.ts'
import type { RawHandler } from '../handler.ts'

/**
 * The development mailbox: `/dev/mailbox` to read, `/dev/mailbox.json?to=…` for tests. Local mode alone has it, and this
 * machine alone sees it, wherever the port is open to: every code is in it (security T9).
 */
export function createMailboxHandler(mailbox: Mailbox): RawHandler {
  return async (request, client) => {
    const { pathname, searchParams, hostname } = new URL(request.url)
    if (pathname !== '/dev/mailbox' && pathname !== '/dev/mailbox.json') return null
    if (!isOfThisMachine(client, hostname) || client.isForwarded) return null
    const to = searchParams.get('to')
    const mails = await mailbox.list(to ? { to } : {})
    if (pathname.endsWith('.json')) return Response.json(mails, { headers: { 'Cache-Control': 'no-store' } })
    return new Response(page(mails), {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    })
  }
}

/** By its name as well: a page under another one may be anybody's. */
const isOfThisMachine = ({ ip }: Client, hostname: string) => isLoopback(ip) && isLoopback(hostname)

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

function page(mails: readonly StoredMail[]): string {
  const items = mails.map(
    ({ to, subject, text, at }) =>
      `<article><h2>${escaped(subject)}</h2><p>To ${escaped(to)}, ${escaped(at.toISOString())}</p><pre>${escaped(text)}</pre></article>`,
  )
  const body = items.join('') || '<p>No mail yet. Sign up, and the code arrives here.</p>'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Mailbox · LetsBuzz</title></head><body><main><h1>Development mailbox</h1>${body}</main></body></html>`
}
