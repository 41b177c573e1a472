import { expect, test } from 'vitest'
import { CommandIndex } from '../../../eventstore/snapshots/command-index.ts'

const marks = (from: number, to: number) =>
  new Map(
    Array.from({ length: to - from }, (_, n) => {
      const revision = 2 * (from + n)
      return [`command ${from + n}`, { revision, count: 2, commandHash: undefined }] as const
    }),
  )

test('it finds every command that it has, with the events it wrote, and hardly another one', () => {
  const index = CommandIndex.EMPTY.upTo(200, marks(0, 100)).upTo(20_000, marks(100, 10_000))
  expect([index.size, index.end]).toEqual([10_000, 20_000])
  for (let n = 0; n < 10_000; n++) expect(index.find(`command ${n}`)).toContainEqual({ revision: 2 * n, count: 2 })
  const others = Array.from({ length: 1_000 }, (_, n) => index.find(`another ${n}`))
  expect(others.flat().length).toBeLessThan(3)
})

test('it comes back from its bytes, eight for each command and four for its salt', () => {
  const index = CommandIndex.EMPTY.upTo(60, marks(0, 30))
  expect(index.toBytes().length).toBe(4 + 8 * 30)
  const again = CommandIndex.fromBytes(index.toBytes(), 60)
  expect(again.find('command 29')).toEqual([{ revision: 58, count: 2 }])
  expect(again.toBytes()).toEqual(index.toBytes())
  const none = CommandIndex.fromBytes(CommandIndex.EMPTY.toBytes(), 0)
  expect(none.find('command 1')).toEqual([])
  for (const bytes of [0, 16])
    expect(() => CommandIndex.fromBytes(Buffer.alloc(bytes), 3)).toThrow('two numbers for each')
})

test('ids that share a hash in one index share none in another', () => {
  const [one, other] = [marks(0, 30), marks(0, 30)].map((commands) => CommandIndex.EMPTY.upTo(60, commands).toBytes())
  const hashes = (bytes?: Buffer) => bytes?.subarray(4, 4 + 4 * 30)
  expect(hashes(one)).not.toEqual(hashes(other))
})

test('what another load has read behind its end is left for later', () => {
  const index = CommandIndex.EMPTY.upTo(10, marks(0, 30))
  expect([index.size, index.end]).toEqual([5, 10])
  expect(index.upTo(60, marks(0, 30)).size).toBe(30)
})
