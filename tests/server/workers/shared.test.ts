import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { CappedSockets } from '../../../realtime/capped-sockets.ts'
import type { Connection } from '../../../realtime/connection.ts'
import { LIMITS, memberCaps, strangerCaps } from '../../../realtime/limits.ts'
import { ReplayBudget } from '../../../realtime/replay-budget.ts'
import { CONNECTION_CAPS } from '../../../server/http/connection-caps.ts'
import { VOUCHED_EACH } from '../../../server/http/connections.ts'
import { ReadPace } from '../../../server/http/read-pace.ts'
import { connectionsOf as countedByPrimary } from '../../../server/workers/shared/connections.ts'
import { serveSockets, socketsOf } from '../../../server/workers/shared/sockets.ts'
import { DRAFT_CAPS, type Sender } from '../../../services/media/draft-room.ts'
import { WORKER_LIMITS } from '../../../services/media/workers/limits.ts'
import { until } from '../../support/until.ts'
import { delivered, linked, startLinked } from './linked.ts'

const MIB = 1024 * 1024
const member = 'ann' as never

test('a question that the other end cannot answer is refused, and so is every one after the end', async () => {
  const [worker, primary] = linked()
  primary.on('fails', () => {
    throw new Error('no')
  })
  await expect(worker.ask('fails', null)).rejects.toThrow('could not answer')
  const asked = worker.ask('never', null)
  worker.close()
  await expect(asked).rejects.toThrow('gone')
  await expect(worker.ask('never', null)).rejects.toThrow()
})

test('a limit counts what all workers take, and what one gives back all may take', async () => {
  const { worker } = startLinked()
  const window = { keyPrefix: 'IP/60', points: 6, duration: 60 }
  const [one, two] = [worker().counter(window), worker().counter(window)]
  const taken = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => (n % 2 ? one : two).consume('ann')))
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  expect((await two.get('ann'))?.msBeforeNext).toBeGreaterThan(50_000)
  await one.delete('ann')
  expect(await two.get('ann')).toBeNull()
  await Promise.all([one.consume('bea'), two.reward('bea'), one.reward('bea')])
  expect((await two.get('bea'))?.consumedPoints).toBe(0)
})

test('a worker whose primary is gone counts alone', async () => {
  const { worker } = startLinked()
  const one = worker()
  one.channel.close()
  const counter = one.counter({ keyPrefix: 'IP/60', points: 1, duration: 60 })
  await counter.consume('ann')
  await expect(counter.consume('ann')).rejects.toMatchObject({ consumedPoints: 2 })
})

/** Tasks that began and have not ended, in the order they began. */
function tasks() {
  const begun: { name: string; end: () => void }[] = []
  const task = (name: string) => () => new Promise<void>((end) => void begun.push({ name, end }))
  return { begun, task, names: () => begun.map(({ name }) => name) }
}

test('all workers hash four passwords at once, networks in turn, and a dead one frees its turns', async () => {
  const { worker } = startLinked()
  const [one, two] = [worker(), worker()]
  const { begun, task, names } = tasks()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void one.hashTurns(task(name), 'flood').catch(() => undefined)
  await until('four have begun', () => begun.length === 4)
  void two.hashTurns(task('honest'), 'home')
  await delivered(two)
  begun[0]!.end()
  begun[1]!.end()
  await until('two more have begun', () => begun.length === 6)
  expect(names()).toContain('honest')
  one.die()
  const { begun: later, task: next } = tasks()
  for (const name of ['g', 'h', 'i']) void two.hashTurns(next(name), 'home')
  await until('three have begun', () => later.length === 3)
})

test('all workers parse as many files at once as one would, and a waiting one begins elsewhere', async () => {
  const { worker } = startLinked()
  const [one, two] = [worker(), worker()]
  const { begun, task, names } = tasks()
  for (let n = 0; n < WORKER_LIMITS.workers; n++) void one.mediaTurns.inTurn(`sender ${n}`, task(`file ${n}`))
  await until('those have begun', () => begun.length === WORKER_LIMITS.workers)
  void two.mediaTurns.inTurn('another', task('waiting'))
  await delivered(two)
  await delivered(one)
  expect(names()).not.toContain('waiting')
  begun[0]!.end()
  await until('it has begun', () => names().includes('waiting'))
})

test('whose file is refused at one worker comes after others at every one', async () => {
  const { worker } = startLinked()
  const [one, two] = [worker(), worker()]
  const { begun, task, names } = tasks()
  one.mediaTurns.charge('mallory', 10_000)
  await delivered(one)
  for (let n = 0; n < WORKER_LIMITS.workers; n++) void one.mediaTurns.inTurn(`sender ${n}`, task(`file ${n}`))
  await until('those have begun', () => begun.length === WORKER_LIMITS.workers)
  for (const uploader of ['mallory', 'another']) void two.mediaTurns.inTurn(uploader, task(uploader))
  await delivered(two)
  begun[0]!.end()
  await until('the next has begun', () => begun.length > WORKER_LIMITS.workers)
  expect(names().at(-1)).toBe('another')
})

test('what a file is expected to take counts at every worker, until it ends or its worker has died', async () => {
  const { worker } = startLinked()
  const [one, two, three] = [worker(), worker(), worker()]
  const { begun, task, names } = tasks()
  const large = { expectedMs: 5_000 }
  for (let n = 0; n < WORKER_LIMITS.workers; n++) void three.mediaTurns.inTurn(`sender ${n}`, task(`file ${n}`))
  await until('those have begun', () => begun.length === WORKER_LIMITS.workers)
  void one.mediaTurns.inTurn('mallory', task('clip'), large).catch(() => undefined)
  void two.mediaTurns.inTurn('mallory', task('picture'))
  await delivered(one)
  void two.mediaTurns.inTurn('another', task('next'), { expectedMs: 1_000 })
  await delivered(two)
  begun[0]!.end()
  await until('the next has begun', () => begun.length > WORKER_LIMITS.workers)
  expect(names().at(-1)).toBe('next')
  one.die()
  void two.mediaTurns.inTurn('third', task('third'), { expectedMs: 1_000 })
  await delivered(two)
  begun[1]!.end()
  await until('one more has begun', () => begun.length > WORKER_LIMITS.workers + 1)
  expect(names().at(-1)).toBe('picture')
})

test('who leaves while a file waits, at whichever worker, begins nothing and stands in nobody’s way', async () => {
  const { worker } = startLinked()
  const [one, two] = [worker(), worker()]
  const { begun, task, names } = tasks()
  for (let n = 0; n < WORKER_LIMITS.workers; n++) void one.mediaTurns.inTurn(`sender ${n}`, task(`file ${n}`))
  await until('those have begun', () => begun.length === WORKER_LIMITS.workers)
  const stop = new AbortController()
  const waiting = two.mediaTurns.inTurn('forms', task('left'), { left: stop.signal })
  void two.mediaTurns.inTurn('another', task('next'))
  await delivered(two)
  stop.abort()
  expect(await waiting).toBeNull()
  expect(await two.mediaTurns.inTurn('forms', task('late'), { left: stop.signal })).toBeNull()
  begun[0]!.end()
  await until('the next has begun', () => begun.length > WORKER_LIMITS.workers)
  expect(names().at(-1)).toBe('next')
})

const ann: Sender = { holder: 'ann', network: '192.0.2.1', isVisitor: false }

test('files on their way to all workers share one room, which a dead one leaves', async () => {
  const { worker } = startLinked()
  const [one, two] = [worker(), worker()]
  const [first, second] = [one.draftRoom.enter(ann), two.draftRoom.enter(ann)]
  expect(await first.take(DRAFT_CAPS.holder - MIB)).toBe(true)
  expect(await second.take(2 * MIB)).toBe(false)
  expect(await second.take(MIB)).toBe(true)
  one.die()
  expect(await second.take(2 * MIB)).toBe(true)
  two.channel.close()
  expect(await second.take(1)).toBe(false)
})

/** Connections of a worker, as if they were sockets. */
function connectionsOf(shared: ReturnType<ReturnType<typeof startLinked>['worker']>) {
  const dropped: number[] = []
  const sockets = new Map<number, Socket>()
  const count = shared.connections((socket) => void dropped.push([...sockets.values()].indexOf(socket)))
  const open = (n: number, network: string) => {
    const socket = {} as Socket
    sockets.set(n, socket)
    count.enter(socket, network)
    // One that asks is counted at once.
    count.asked(socket, 0)
    return socket
  }
  return { dropped, open, count, shared }
}

test('of too many connections of one network over all workers the oldest stranger goes, a member stays', async () => {
  const { worker } = startLinked()
  const [one, two] = [connectionsOf(worker()), connectionsOf(worker())]
  const members = one.open(0, '192.0.2.1')
  one.count.vouch(members, 'ann')
  one.open(1, '192.0.2.1')
  await delivered(one.shared)
  for (let n = 0; n < CONNECTION_CAPS.perNetwork - 2; n++) two.open(n, '192.0.2.1')
  await delivered(two.shared)
  expect([one.dropped, two.dropped]).toEqual([[], []])
  two.open(-1, '192.0.2.1')
  await until('the oldest is closed', () => one.dropped.length > 0)
  expect([one.dropped, two.dropped]).toEqual([[1], []])
})

test('connections that ask nothing and are gone at once are no message; one that stays counts all the same', async () => {
  const [worker, primary] = linked()
  const heard: string[] = []
  for (const topic of ['enter', 'leave']) primary.on(`port: ${topic}`, () => heard.push(topic))
  const count = countedByPrimary(worker)(() => undefined)
  const open = () => {
    const socket = {} as Socket
    count.enter(socket, '192.0.2.1')
    return socket
  }
  for (let n = 0; n < 1_000; n++) count.leave(open())
  const stays = open()
  await until('the one that stays is counted', () => heard.length > 0)
  count.leave(stays)
  await until('it is gone', () => heard.length > 1)
  expect(heard).toEqual(['enter', 'leave'])
})

test('the connections of a worker that died count no more', async () => {
  const { worker } = startLinked()
  const [one, two] = [connectionsOf(worker()), connectionsOf(worker())]
  for (let n = 0; n < CONNECTION_CAPS.perNetwork; n++)
    one.count.vouch(one.open(n, '192.0.2.1'), `member ${n % (CONNECTION_CAPS.perNetwork / VOUCHED_EACH)}`)
  await delivered(one.shared)
  one.shared.die()
  for (let n = 0; n < CONNECTION_CAPS.perNetwork; n++) two.open(n, '192.0.2.1')
  await delivered(two.shared)
  expect([one.dropped, two.dropped]).toEqual([[], []])
})

test.each([
  ['silent sockets of one network', 'strangers', strangerCaps(LIMITS)],
  ['sockets of one member', 'members', memberCaps(LIMITS)],
] as const)('of too many %s over all workers the oldest goes', async (_what, of, caps) => {
  const { worker } = startLinked()
  const [one, two] = [worker(), worker()]
  const gone: string[] = []
  const first = one.countSockets(of, caps, () => void gone.push('first'))
  const second = two.countSockets(of, caps, () => void gone.push('second'))
  first.add({} as Connection, 'ann')
  await delivered(one)
  for (let n = 1; n < caps.perGroup; n++) second.add({} as Connection, 'ann')
  second.add({} as Connection, 'bea')
  await delivered(two)
  expect(gone).toEqual([])
  second.add({} as Connection, 'ann')
  await until('one is closed', () => gone.length > 0)
  expect(gone).toEqual(['first'])
})

/** Counts how often a socket is taken out. */
class Watched<S> extends CappedSockets<S> {
  taken = 0
  override delete(socket: S): void {
    this.taken++
    super.delete(socket)
  }
}

test('a socket that its worker was ordered to drop is forgotten: when the worker ends, those that are left end', async () => {
  const [worker, primary] = linked()
  const drop = (socket: { drop(): void }) => socket.drop()
  const members = new Watched({ perGroup: 2, total: 10 }, drop)
  const end = serveSockets(primary, { members, strangers: new CappedSockets({ perGroup: 1, total: 1 }, drop) })
  const gone: Connection[] = []
  const count = socketsOf(worker)('members', memberCaps(LIMITS), (connection) => void gone.push(connection))
  const sockets = Array.from({ length: 5 }, () => ({}) as Connection)
  for (const socket of sockets) count.add(socket, 'ann')
  await until('three are dropped', () => gone.length === 3)
  expect(gone).toEqual(sockets.slice(0, 3))
  const droppedSoFar = members.taken
  end()
  expect(members.taken - droppedSoFar).toBe(2)
})

test('what one worker reads of a network delays its bodies at the others', async () => {
  const { worker } = startLinked()
  const [one, two, watching] = [worker(), worker(), worker()]
  const reading = new ReadPace(() => 0, one.read).of('192.0.2.1')
  const elsewhere = new ReadPace(() => 0, two.read)
  const heard: number[] = []
  watching.read.hear((_network, bytes) => void heard.push(bytes))
  reading(12 * MIB)
  await until('others know', () => heard.length > 0)
  await delivered(two)
  expect(elsewhere.of('192.0.2.1')(MIB)).toBeGreaterThan(500)
  expect(elsewhere.of('192.0.2.2')(MIB)).toBe(0)
})

test('what one worker sends again to a member counts at the others', async () => {
  const { worker } = startLinked()
  const [other, watching] = [worker(), worker()]
  const [one, two] = [new ReplayBudget(100, worker().replays), new ReplayBudget(100, other.replays)]
  const heard: number[] = []
  watching.replays.hear((_key, bytes) => void heard.push(bytes))
  expect(one.take(member, 90)).toBe(true)
  await until('others know', () => heard.length > 0)
  await delivered(other)
  expect(two.take(member, 20)).toBe(false)
  expect(two.take(member, 10)).toBe(true)
})
