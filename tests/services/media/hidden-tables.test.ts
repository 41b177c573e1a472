import { expect, onTestFinished, test } from 'vitest'
import type { MemberId } from '../../../domain/shared/ids.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { randomId } from '../../../services/random-id.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { appDatabase } from '../support/app.ts'
import { HIDDEN, soundOf } from '../support/hidden-tables.ts'
import { cuedWebm, headlessWebm } from '../support/hostile-clips.ts'
import { mediaIn } from '../support/media.ts'

const app = appDatabase()
const MIB = 1024 * 1024

/** Uploads of one member; `ended` is why each process was ended in the middle of a file. */
function start() {
  const ended: unknown[] = []
  const workers = createMediaWorkers({ memoryBytes: 256 * MIB, onEnded: (by) => ended.push(by) })
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

test('a plain sound of the same boxes is taken', async () => {
  const { upload } = start()
  expect(await upload(soundOf())).toMatchObject({ ok: true, media: { kind: 'audio' } })
})

test('a WebM with hundreds of thousands of cues of one moment is read by its packets, and one without a head is refused', async () => {
  const { ended, upload } = start()
  expect(await upload(cuedWebm(600_000))).toMatchObject({ ok: true, media: { kind: 'audio' } })
  expect(await upload(headlessWebm())).toMatchObject({ ok: false, reason: 'upload-failed' })
  expect(ended).toEqual([])
})
