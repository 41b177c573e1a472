import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A way to Postgres on which the connections of this moment can become silent: no end, no error, nothing that arrives. New ones of
 * while it is `stuck` are accepted, and never answered. `swallow`: the next
 * connection that asks what contains the text is silent from then on.
 */
export async function wayTo({
  host = '127.0.0.1',
  port = 5432,
  allowHalfOpen = false,
}: {
  host?: string | undefined
  port?: number | undefined
  /** Not even an end is answered by a silent one. */
  allowHalfOpen?: boolean
}) {
  const pairs: [Socket, Socket][] = []
  let stuck = false
  let swallowed: string | undefined
  const way = createServer({ allowHalfOpen }, (near) => {
    if (stuck) return void pairs.push([near, near])
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    for (const one of [near, far]) one.on('error', () => one.destroy())
    // It still arrives; its answer does not.
    near.on('data', (bytes: Buffer) => {
      if (swallowed === undefined || !bytes.includes(swallowed)) return
      swallowed = undefined
      silenced([near, far])
    })
    near.pipe(far).pipe(near)
    pairs.push([near, far])
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const pair of pairs) for (const one of pair) one.destroy()
    way.close()
  })
  const silence = () => pairs.forEach(silenced)
  const swallow = (text: string) => {
    swallowed = text
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
    swallow,
    /** Whether what was to be swallowed has come. */
    hasSwallowed: () => swallowed === undefined,
  }
}

function silenced([near, far]: [Socket, Socket]): void {
  near.unpipe(far).resume()
  far.unpipe(near).resume()
}
