import { createServer } from 'node:net'
import { listen } from './listen.ts'

/**
 * The port, which nothing listens on at this moment; for 0 a free one. Asked before anything starts: the product's own
 * address is needed before its port opens, and a taken port is better heard of at once.
 */
export async function findPort(port: number, host: string): Promise<number> {
  const probe = createServer()
  const found = await listen(probe, port, host)
  return new Promise((resolve) => probe.close(() => resolve(found)))
}
