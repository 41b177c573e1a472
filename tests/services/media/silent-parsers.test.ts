import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { bundled } from '../../support/programs/bundled.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { warningClip } from '../support/hidden-tables.ts'

const PARENT = join(import.meta.dirname, '../support/media-parent.ts')

test('what a clip has a parser warn of is not in the log of the process that serves', async () => {
  for (const entries of [3, 20]) {
    const folder = tempDir()
    const clip = join(folder, 'clip')
    writeFileSync(clip, warningClip(entries, '\n{"a'))
    const parent = spawn(process.execPath, [bundled(PARENT), folder, clip], { stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [, written, [code]] = await Promise.all([text(parent.stdout), text(parent.stderr), once(parent, 'exit')])
    expect([written, code]).toEqual(['', 0])
  }
})
