import type { ServerResponse } from 'node:http'
import { sendResponse } from '@remix-run/node-fetch-server'
import { bodyFor } from './compression.ts'

/** Sends an answer, compressed for a request that takes it: bytes in one piece, a stream as it comes. */
export async function send(outgoing: ServerResponse, request: Request | null, response: Response): Promise<void> {
  const body = request ? await bodyFor(request, response) : response.body
  if (body instanceof Uint8Array) {
    outgoing.writeHead(response.status, response.statusText, headersOf(response)).end(body)
    return
  }
  const { status, statusText, headers } = response
  await sendResponse(outgoing, body === response.body ? response : new Response(body, { status, statusText, headers }))
}

/** Each cookie is a header of its own. */
export function headersOf({ headers }: Response): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}
