import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UPLOAD_WORDS } from '../../../app/words/upload-words.server.ts'
import { sealWhole } from '../../../services/media/sealed-draft.ts'
import { receiveMedia } from '../../../usecases/media/receive-media.ts'
import { uploadMedia } from '../../../usecases/media/upload-media.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { newcomer } from '../../support/newcomers.ts'
import { startStrictWorld } from '../../support/strict-world.ts'
import { tempDir } from '../../support/temp-dir.ts'
import type { World } from '../../support/world.ts'

let world: World
let context: Ports
beforeAll(async () => {
  ;({ world, context } = await startStrictWorld())
})
afterAll(() => world.stop())

/** A file that a form brought along. */
async function kept() {
  const path = join(tempDir(), 'draft')
  writeFileSync(path, '')
  return { ok: true as const, ...(await sealWhole({ path }, Buffer.from('x'))) }
}

test('a file is kept for its owner, and one that its form refused stays refused', async () => {
  const { proof } = await newcomer(world)
  const picture = sharp({ create: { width: 60, height: 75, channels: 3, background: '#c84' } })
  const file = await picture.png().toBuffer()
  const owner = { proof }
  const kept = await receiveMedia(context, owner, (uploader) =>
    context.media.upload({ owner: uploader, purpose: 'photo', file }),
  )
  expect(kept).toMatchObject({ ok: true, value: { owner, kind: 'image' } })
  const refused = { ok: false, reason: 'too-large' } as const
  expect(await uploadMedia(context, owner, { file: refused, purpose: 'photo' })).toEqual(refused)
})

test('forty uploads an hour are all that an owner gets, and the next is not even read', async () => {
  const { proof } = await newcomer(world)
  let read = 0
  const receive = async () => {
    read++
    return { ok: false, reason: 'unsupported' } as const
  }
  const outcomes = []
  for (let upload = 0; upload < 41; upload++) outcomes.push(await receiveMedia(context, { proof }, receive))
  expect(outcomes.at(-1)).toMatchObject({ ok: false, reason: 'slow-down', retryInMs: expect.any(Number) })
  expect(read).toBe(40)
})

test('an upload that nobody had time for is none of the forty', async () => {
  const { proof } = await newcomer(world)
  const answer = (reason: 'busy' | 'unsupported') =>
    receiveMedia(context, { proof }, async () => ({ ok: false, reason }))
  for (let upload = 0; upload < 45; upload++) expect(await answer('busy')).toEqual({ ok: false, reason: 'busy' })
  for (let upload = 0; upload < 40; upload++)
    expect(await answer('unsupported')).toMatchObject({ reason: 'unsupported' })
  expect(await answer('busy')).toMatchObject({ reason: 'slow-down' })
})

test('a file of a form was counted when it came, and counts no more unless nobody had time for it', async () => {
  const { proof } = await newcomer(world)
  const file = await kept()
  const { limits } = context
  await limits.take('UPLOAD', proof, 40)
  const answered = (reason: 'busy' | 'unsupported') => {
    const upload = async () => ({ ok: false, reason }) as const
    const ports = { ...context, media: { ...context.media, upload } }
    return uploadMedia(ports, { proof }, { file, purpose: 'photo' })
  }
  const isOver = async () => !(await limits.peek('UPLOAD', proof)).ok
  expect([await answered('unsupported'), await isOver()]).toEqual([{ ok: false, reason: 'unsupported' }, true])
  expect([await answered('busy'), await isOver()]).toEqual([{ ok: false, reason: 'busy' }, false])
})

test('a visitor waits with the others of their network, a member alone', async () => {
  const from: object[] = []
  const receive = async (uploader: object) => {
    from.push(uploader)
    return { ok: false, reason: 'unsupported' } as const
  }
  const { proof } = await newcomer(world)
  const { id: member } = await world.member('Ann')
  for (const ip of ['2001:db8:1:2::a', '2001:db8:1:2::b', '192.0.2.7'])
    for (const owner of [{ proof }, { member }]) await receiveMedia({ ...context, ip }, owner, receive)
  const networks = ['2001:db8:1:2', '2001:db8:1:2', '192.0.2.7']
  expect(from).toEqual(networks.flatMap((network) => [{ proof, network }, { member }]))
})

test('a clip that is too long or too wide is refused in the words of the spec', () => {
  const worded = [UPLOAD_WORDS['video-too-long'], UPLOAD_WORDS['voice-too-long'], UPLOAD_WORDS['too-wide']]
  expect(worded.map(({ status, error }) => [status, error])).toEqual([
    [400, 'Please upload a video of 60 seconds or less.'],
    [400, 'Please upload a voice note of 60 seconds or less.'],
    [400, 'Please upload a video of at most 1280 pixels.'],
  ])
})
