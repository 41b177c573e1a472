import { expect, test } from 'vitest'
import { frameOf } from '../../realtime/connection.ts'

test('a frame keeps its own bytes in memory, and no more', () => {
  const frame = frameOf({ type: 'bye', retryInMs: 1 })
  expect(JSON.parse(frame.toString())).toEqual({ type: 'bye', retryInMs: 1 })
  expect(frame.buffer.byteLength).toBe(frame.length)
})
