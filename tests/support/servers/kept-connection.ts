import { Agent, request } from 'node:http'
import { expect } from 'vitest'
import { holdNode } from '../described/hold-node.ts'

type Asking = { readonly headers?: Record<string, string>; readonly path?: string; readonly from?: string }

/** A connection that stays open between requests, and whether one of them found it as it was. */
export function keptConnection(
  port: number,
  { headers = {}, path = '/api/users/me', from = '127.0.0.1' }: Asking = {},
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const to = { port, host: '127.0.0.1', localAddress: from, headers, agent }
  return (other = path) =>
    new Promise<{ status: number; reused: boolean }>((resolve, reject) => {
      const asked = request({ ...to, path: other }, async (answer) => {
        const pieces: Buffer[] = []
        for await (const piece of answer) pieces.push(piece)
        await holdNode(`http://localhost:${port}${other}`, 'GET', answer, Buffer.concat(pieces))
        resolve({ status: answer.statusCode ?? 0, reused: asked.reusedSocket })
      })
      asked.on('error', reject).end()
    })
}

/** So many connections, each of which has asked, one after the other. */
export async function keptConnections(port: number, count: number, asking: Asking) {
  const made = Array.from({ length: count }, () => keptConnection(port, asking))
  for (const ask of made) expect(await ask()).toEqual({ status: 200, reused: false })
  return made
}
