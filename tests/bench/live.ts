import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Program } from '../drills/program-child.ts'
import { type Caller, call } from '../drills/program-people.ts'
import { Peer } from '../realtime/peer.ts'
import { startBareRelay } from './bare.ts'
import type { Extent, Report } from './extent.ts'
import { type Figure, median, ms, percentile, ratio, spread } from './figures.ts'
import { withMembers } from './running.ts'

/** Below the rate at which a socket counts as a flood. */
const MESSAGE_GAP_MS = 60

/** How soon the other member sees what one does, by asking and by a socket. */
export async function benchLive({ calls }: Extent, report: Report): Promise<void> {
  await withMembers(2, async (program, members) => {
    const [a, b] = members as [Caller, Caller]
    report(await benchVisible(program, [a, b], calls))
    report(await benchMessages(program, [a, b], calls))
  })
}

const middleAndLate = (times: readonly number[]) => `p50 ${ms(median(times))}, p95 ${ms(percentile(times, 0.95))}`

/**
 * From sending a command until the other member's page, asked at once, shows its effect; beside one such look alone.
 */
async function benchVisible({ url }: Program, [a, b]: [Caller, Caller], calls: number): Promise<Figure> {
  const newest = async () => {
    const answer = await call(url, `/chat/${a.id}/messages?limit=1`, { token: b.token })
    const { messages } = (await answer.json()) as { messages: { id: string }[] }
    return messages[0]?.id
  }
  const [own, alone]: [number[], number[]] = [[], []]
  for (let n = 0; n < calls; n++) {
    const id = randomUUID()
    const startedAt = performance.now()
    await call(url, `/chat/${b.id}/messages`, { token: a.token, body: { id, text: 'Seen?' } })
    while ((await newest()) !== id);
    const seenAt = performance.now()
    await newest()
    own.push(seenAt - startedAt)
    alone.push(performance.now() - seenAt)
  }
  return {
    what: 'command to visible for the other',
    value: middleAndLate(own),
    against: `the look alone ${middleAndLate(alone)}`,
    ratio: ratio(median(own), median(alone)),
  }
}

/** From one member's socket to the other's, stored before it is sent on; beside sockets that only pass it on. */
async function benchMessages({ url }: Program, [a, b]: [Caller, Caller], calls: number): Promise<Figure> {
  const relay = await startBareRelay()
  const own = [await signedIn(url, a), await signedIn(url, b)] as const
  const bare = [new Peer(relay.port), new Peer(relay.port)] as const
  try {
    for (const peer of bare) await peer.opened
    const roomId = [a.id, b.id].sort().join('_')
    const [times, passed]: [number[], number[]] = [[], []]
    for (let n = 0; n < calls; n++) {
      const id = randomUUID()
      const frame = { type: 'direct:message', id, data: { to: b.id, id, roomId, text: 'Live?' } }
      times.push(await passing(own, frame))
      passed.push(await passing(bare, frame))
      await pause(MESSAGE_GAP_MS)
    }
    return {
      what: "message to the other's socket",
      value: spread(times),
      against: `bare relay ${spread(passed)}`,
      ratio: ratio(median(times), median(passed)),
    }
  } finally {
    for (const { ws } of [...own, ...bare]) ws.close()
    relay.stop()
  }
}

async function passing([from, to]: readonly [Peer, Peer], frame: { id: string }): Promise<number> {
  const startedAt = performance.now()
  const arrived = arrivalOf(to, frame.id)
  from.send(frame)
  await Promise.race([arrived, from.closed.then(refuse), to.closed.then(refuse)])
  return performance.now() - startedAt
}

function refuse(code: number): never {
  throw new Error(`A socket was closed with ${code}.`)
}

async function signedIn(url: string, { token }: Caller): Promise<Peer> {
  const { port } = new URL(url)
  const peer = new Peer(Number(port), { origin: `http://127.0.0.1:${port}` })
  await peer.opened
  peer.send({ type: 'auth', token })
  await peer.next('ready')
  return peer
}

function arrivalOf({ ws }: Peer, id: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (data: Buffer) => {
      if (!data.includes(id) || !data.includes('direct:message')) return
      ws.off('message', look)
      resolve()
    }
    ws.on('message', look)
  })
}
