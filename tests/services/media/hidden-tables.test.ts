import { expect, onTestFinished, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { mediaProgram } from '../../support/programs/media-program.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appDatabase } from '../support/app.ts'
import { HIDDEN, soundOf, soundWith, trackOf } from '../support/hidden-tables.ts'
import { box, uint32 } from '../support/hostile-clips.ts'
import { cuedWebm, headlessWebm } from '../support/hostile-webm.ts'
import { mediaIn } from '../support/media.ts'

const app = appDatabase()
const MIB = 1024 * 1024

/** Uploads of one member; `ended` is why each process was ended in the middle of a file. */
function start() {
  const ended: unknown[] = []
  const workers = createMediaWorkers({
    program: mediaProgram(),
    memoryBytes: 256 * MIB,
    onEnded: (by) => ended.push(by),
  })
  onTestFinished(() => workers.stop())
  const { media } = mediaIn(tempDir(), app, workers)
  const owner = { member: randomId() as MemberId }
  return { ended, upload: (file: Buffer) => media.upload({ owner, purpose: 'voice', file }) }
}

test.each(Object.entries(HIDDEN))('%s costs no process', async (_, make) => {
  const { ended, upload } = start()
  await upload(make())
  expect(ended).toEqual([])
})

test('what phones and browsers write beside a clip keeps it from nobody', async () => {
  const { upload } = start()
  const plain = await upload(soundOf())
  expect(plain).toMatchObject({ ok: true, media: { kind: 'audio' } })
  const tables = ['sgpd', 'sbgp', 'cslg', 'sdtp', 'saiz', 'free'].map((name) => box(name, uint32(0, 1, 2, 3)))
  const place = box('udta', box('\xa9xyz', Buffer.from('\0\x12\0\0+52.5+013.4/')), uint32(0))
  const maker = box('meta', box('hdlr', uint32(0, 0), Buffer.from('mdta'), uint32(0, 0, 0)), box('keys', uint32(0, 0)))
  const more = [place, maker, trackOf('meta', box('stts', uint32(0, 9))), box('uuid', Buffer.alloc(40)), box('iods')]
  const phone = await upload(soundWith(tables, ...more))
  expect(phone).toMatchObject({ ok: true, media: { seconds: plain.ok && plain.media.seconds } })
})

test('a WebM with hundreds of thousands of cues of one moment is read by its packets, and one without a head is refused', async () => {
  const { ended, upload } = start()
  expect(await upload(cuedWebm(600_000))).toMatchObject({ ok: true, media: { kind: 'audio' } })
  expect(await upload(headlessWebm())).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(ended).toEqual([])
})
