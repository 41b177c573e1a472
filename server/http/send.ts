import type { ServerResponse } from 'node:http'
import { sendResponse } from '@remix-run/node-fetch-server'
import { bodyFor } from './compression.ts'

/** Sends an answer, compressed for a request that takes it: bytes in one piece, a stream as it comes. */
export async function send(outgoing: ServerResponse, request: Request | null, response: Response): Promise<void> {
  // Nobody would read it, and what it reads from would stay open.
  if (outgoing.destroyed) return response.body?.cancel()
  const body = request ? await bodyFor(request, response) : response.body
  if (outgoing.destroyed) return body instanceof ReadableStream ? body.cancel() : undefined
  if (body instanceof Uint8Array) {
    outgoing.writeHead(response.status, response.statusText, headersOf(response)).end(body)
    return
  }
  const { status, statusText, headers } = response
  await sendResponse(outgoing, body === response.body ? response : new Response(body, { status, statusText, headers }))
}

/** The answer to whoever is heard no more: the connection ends behind it. */
export async function sendLast(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.setHeader('Connection', 'close')
  outgoing.writeHead(response.status, headersOf(response)).end(Buffer.from(await response.arrayBuffer()))
  outgoing.once('close', () => outgoing.req.socket.destroySoon())
}

/** Each cookie is a header of its own. */
export function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
