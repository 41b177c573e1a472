import { expect, test } from 'vitest'
import { limitBody } from '../../../server/http/body-limit.ts'

const KIB = 1024
const unpaced = () => 0
const turns = { asked: () => true, beforeEnd: async () => true }
const room = { open: () => undefined, whole: () => undefined, take: () => true }

/** Reads a form with files of which so many bytes come after so many seconds each; answers the verdict and the bytes read. */
async function read(pieces: readonly (readonly [seconds: number, bytes: number])[], path = '/media-upload') {
  let seconds = 0
  const left = pieces.values()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value } = left.next()
      if (!value) return controller.close()
      seconds += value[0]
      controller.enqueue(new Uint8Array(value[1]))
    },
  })
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  const { request, verdict } = limitBody(
    new Request(`http://localhost${path}`, init),
    { pace: unpaced, pieces: { tooSmall: false }, turns, room, isWhole: () => false },
    () => seconds * 1_000,
  )
  const bytes = await request.arrayBuffer().then(
    (whole) => whole.byteLength,
    () => null,
  )
  return { status: verdict.status, bytes, seconds }
}

/** Every limit of a form is so many times that. */
const PIECE_KIB = 256
const fast = Array.from({ length: 40 }, () => [0, KIB * KIB] as const)
const drip = Array.from({ length: 200 }, () => [20, 1] as const)

test.each([
  ['from the start', drip],
  ['after forty megabytes in a moment', [...fast, ...drip]],
])('a byte now and then is too slow %s, within a minute', async (_when, pieces) => {
  const { status, seconds } = await read(pieces)
  expect(status).toBe(408)
  expect(seconds).toBeLessThanOrEqual(60)
})

test.each([
  ['at a kilobyte a second for minutes', Array.from({ length: 280 }, () => [1, KIB] as const)],
  ['with its network lost for most of half a minute', [...fast, [25, 1_400], [1, 60 * KIB], [28, 20 * KIB]] as const],
  ['that is small, in twenty seconds', Array.from({ length: 20 }, () => [1, 10] as const)],
])('a body %s is taken', async (_how, pieces) => {
  const sum = pieces.reduce((bytes, [, more]) => bytes + more, 0)
  expect(await read(pieces)).toMatchObject({ status: null, bytes: sum })
})

test.each([
  ['/media-upload', 52 * KIB],
  ['/register', 52 * KIB],
  ['/profile/edit.data', 52 * KIB],
  ['/Profile/Gallery/', 52 * KIB],
  ['/api/Upload-Media', 52 * KIB],
  ['/api/upload-media-file', 52 * KIB],
  ['/chat/media-upload', KIB],
  ['/settings/export', KIB],
  ['/api/likes', 256],
  ['/api/media-upload', 256],
])('a form with parts for %s is taken up to %i KiB', async (path, kib) => {
  const whole = Array.from({ length: kib / PIECE_KIB }, () => [0, PIECE_KIB * KIB] as const)
  expect(await read(whole, path)).toMatchObject({ status: null, bytes: kib * KIB })
  expect(await read([...whole, [0, 1]], path)).toMatchObject({ status: 413, bytes: null })
})
