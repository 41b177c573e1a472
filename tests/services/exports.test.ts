import { expect, test } from 'vitest'
import type { MemberId } from '../../domain/shared/ids.ts'
import { createExports } from '../../services/export/exports.ts'
import { createExportFiles } from '../../services/export/files.ts'
import { randomId } from '../../services/random-id.ts'
import { makeTempDir } from '../support/temp-folder.ts'
import { appDatabase, testClock } from './support/app.ts'

const app = appDatabase()

test('exports that are asked for while they are removed are all answered, and asking twice answers the same', async () => {
  const files = createExportFiles(makeTempDir('letsbuzz-exports-'))
  const [exports, ann] = [createExports({ db: app.db, now: testClock(), files }), randomId() as MemberId]
  const asked = Array.from({ length: 60 }, async (_, n) => {
    await (n % 2 ? exports.removeAll(ann) : exports.ask(ann))
  })
  expect((await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await exports.ask(ann)).toEqual(await exports.ask(ann))
})
