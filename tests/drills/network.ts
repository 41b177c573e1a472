import { type Agent, request } from 'node:http'
import type { Readable } from 'node:stream'
import { holdNode } from '../support/described/hold-node.ts'

/**
 * Who asks, from which address of this machine: each is a network of its own to the product. `agent` keeps connections;
 * without it each request has one of its own.
 */
export type From = { readonly address: string; readonly token?: string; readonly agent?: Agent }
export type Asked = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: Body }
export type Answered = { readonly status: number; readonly text: string }
type Body = Buffer | string | Readable

const ANSWER_MS = 60_000

/** One request from an address of its own. Rejects when the connection breaks, or where no answer comes in a minute. */
export function ask(
  url: string,
  { address, token, agent }: From,
  { method, headers, body }: Asked = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const auth = token ? { Authorization: `Bearer ${token}` } : undefined
    const options = { method: method ?? (body === undefined ? 'GET' : 'POST'), headers: { ...auth, ...headers } }
    const sent = request(
      url,
      { ...options, localAddress: address, agent: agent ?? false, timeout: ANSWER_MS },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => {
          const whole = Buffer.concat(parts)
          const answered = { status: answer.statusCode ?? 0, text: String(whole) }
          holdNode(url, options.method, answer, whole).then(() => resolve(answered), reject)
        })
        answer.on('error', reject)
      },
    )
    sent.on('timeout', () => sent.destroy(new Error('no answer came')))
    sent.on('error', (error) => reject(Object.assign(error, { reused: sent.reusedSocket })))
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) sent.end(body)
    else body.on('error', () => sent.destroy()).pipe(sent)
  })
}

/** A form of several parts, as bytes. */
export function formOf(fields: Readonly<Record<string, string>>, file: Buffer, type: string): Asked {
  const boundary = `----drill${file.length}`
  const head = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head.join('') + part), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
