import { expect, test } from 'vitest'
import { ReadPace } from '../../../server/http/read-pace.ts'

const KIB = 1024
const MIB = 1024 * KIB
const PIECE = 64 * KIB

/** Reads bodies of so many bytes side by side, each next piece once the wait after the one before it is over. */
function secondsFor(bodies: readonly (readonly [network: string, bytes: number])[]): number[] {
  let now = 0
  const paces = new ReadPace(() => now)
  const open = bodies.map(([network, bytes]) => ({ pace: paces.of(network), left: bytes, at: 0 }))
  for (;;) {
    const next = open.filter(({ left }) => left > 0).sort((a, b) => a.at - b.at)[0]
    if (!next) return open.map(({ at }) => at / 1_000)
    now = next.at
    next.left -= PIECE
    next.at = now + next.pace(PIECE)
  }
}

test('a large body is read at sixteen megabytes a second after a first quarter of a second', () => {
  const [seconds] = secondsFor([['a', 48 * MIB]])
  expect(seconds).toBeCloseTo(48 / 16 - 0.25, 1)
})

test('bodies of one network share its pace, and others have their own', () => {
  const [one = 0, two = 0, other] = secondsFor([
    ['a', 16 * MIB],
    ['a', 16 * MIB],
    ['b', 16 * MIB],
  ])
  expect(Math.max(one, two)).toBeCloseTo(32 / 16 - 0.25, 1)
  expect(other).toBeCloseTo(16 / 16 - 0.25, 1)
})

test('many networks share thirty-two megabytes a second, each with a megabyte at least', () => {
  const of = (networks: number, each: number) =>
    Math.max(...secondsFor(Array.from({ length: networks }, (_, at) => [String(at), each] as const)))
  expect(of(2, 32 * MIB)).toBeCloseTo(64 / 32, 0)
  expect(of(20, 16 * MIB)).toBeGreaterThan(320 / 32 - 1)
  expect(of(20, 16 * MIB)).toBeLessThan(320 / 32 + 0.5)
  expect(of(100, 4 * MIB)).toBeLessThan(4 + 0.5)
})

test('whoever sends less than their share leaves the rest to others', () => {
  let now = 0
  const paces = new ReadPace(() => now)
  const calls = Array.from({ length: 50 }, (_, at) => paces.of(String(at)))
  const large = paces.of('large')
  for (; now < 2_000; now += 50) for (const call of calls) call(KIB)
  let waited = 0
  for (let read = 0; read < 16 * MIB; read += PIECE) {
    const wait = large(PIECE)
    now += wait
    waited += wait
  }
  expect(waited / 1_000).toBeCloseTo(16 / 16 - 0.25, 1)
})

test('the first bytes of a body never wait, also behind large ones', () => {
  const paces = new ReadPace(() => 0)
  const large = paces.of('a')
  for (let read = 0; read < 48 * MIB; read += PIECE) large(PIECE)
  expect([paces.of('a')(KIB), paces.of('a')(PIECE)]).toEqual([0, 0])
  expect(large(PIECE)).toBe(2_000)
})

test('a network that sent nothing for a while begins anew, however many others sent', () => {
  let now = 0
  const paces = new ReadPace(() => now)
  for (let read = 0; read < 16 * MIB; read += PIECE) paces.of('a')(PIECE)
  now = 1_001
  for (let network = 0; network < 2_000; network++) paces.of(String(network))(1)
  const [, body] = [paces.of('a')(PIECE), paces.of('a')]
  expect([body(PIECE), body(PIECE)]).toEqual([0, 0])
})

test('however many small bodies came, a large one waits two seconds at most', () => {
  const paces = new ReadPace(() => 0)
  for (let body = 0; body < 10_000; body++) paces.of('a')(PIECE)
  const large = paces.of('a')
  large(PIECE)
  expect(large(PIECE)).toBe(2_000)
})
