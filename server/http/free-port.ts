import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A port that nothing listens on at this moment: the product's own address is needed before its port opens. */
export function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
