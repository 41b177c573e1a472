import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { holdAnswer, isRead } from './hold.ts'

/** Checks an answer that node's own client got against `/openapi.json`; `url` is the product's, by the name it was started under. */
export async function holdNode(url: string, method: string, answer: IncomingMessage, body: Buffer): Promise<void> {
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct))
    for (const value of values ?? []) headers.append(name, value)
  await holdAnswer({
    url,
    method,
    status: answer.statusCode ?? 0,
    headers,
    text: isRead(headers) ? String(plainOf(body, headers.get('Content-Encoding'))) : null,
  })
}

/** `unzip` takes gzip and deflate. */
const plainOf = (body: Buffer, encoding: string | null): Buffer =>
  encoding === null ? body : encoding === 'br' ? brotliDecompressSync(body) : unzipSync(body)
