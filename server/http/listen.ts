import type { AddressInfo, Server } from 'node:net'

/**
 * Connections that may wait to be taken; a system may allow fewer. Where the queue is full the kernel drops newcomers, who try
 * again after a second: it has room for a crowd that comes in one round of the event loop.
 */
export const WAITING = 4_096

/** Listens and answers the port; rejects with words that name PORT or HOST when it cannot be had. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to a free one.`
      const denied = `Port ${port} on ${host} may not be used by this account. Set PORT to one above 1023.`
      const foreign = `This machine has no address ${host}. Set HOST to one that it has, such as 127.0.0.1.`
      if (error.code === 'EADDRINUSE') reject(new Error(taken, { cause: error }))
      else if (error.code === 'EACCES') reject(new Error(denied, { cause: error }))
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new Error(foreign, { cause: error }))
      else reject(error)
    })
    server.listen(port, host, WAITING, () => {
      // From here on it is a connection that cannot be taken, as where no descriptor is left; the next may be.
      server.on('error', () => undefined)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
