import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A way to Postgres on which the connections of this moment can become silent: no end, no error, nothing that arrives. New ones of
 * while it is `stuck` are accepted, and never answered.
 */
export async function wayTo({
  host = '127.0.0.1',
  port = 5432,
}: {
  host?: string | undefined
  port?: number | undefined
}) {
  const pairs: [Socket, Socket][] = []
  let stuck = false
  const way = createServer((near) => {
    if (stuck) return void pairs.push([near, near])
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const one of [near, far]) one.on('error', () => one.destroy())
    near.pipe(far).pipe(near)
    pairs.push([near, far])
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const pair of pairs) for (const one of pair) one.destroy()
    way.close()
  })
  const silence = () => {
    for (const [near, far] of pairs) {
      near.unpipe(far).resume()
      far.unpipe(near).resume()
    }
  }
  const stick = (now: boolean) => {
    stuck = now
  }
  return {
    stick,
    accepted: () => pairs.length,
    host: '127.0.0.1',
    port: (way.address() as { port: number }).port,
    silence,
  }
}
