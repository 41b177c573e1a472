import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sniffFile } from '../../../services/media/kinds.ts'
import { sealDraft } from '../../../services/media/sealed-draft.ts'
import { createMediaWorkers } from '../../../services/media/workers/workers.ts'
import { busyClip, ENDLESS } from './endless.ts'

/** `node media-parent.js <folder> [clip]`: has the clip parsed, or one without end, and prints which process does. */
const [, , folder = '', clip] = process.argv
const [path, to] = [join(folder, 'sent'), join(folder, 'copy')]
for (const draft of [path, to]) writeFileSync(draft, '')
const draft = await sealDraft({ path })
await draft.append(clip ? readFileSync(clip) : busyClip())
const file = await draft.end()
const sniffed = await sniffFile(file)
if (!sniffed) throw new Error('It is no clip.')
const workers = createMediaWorkers({ deadlineMs: 600_000, program: ENDLESS })
const answer = workers.parse('mallory', { file: file.sealed, still: null, sniffed, purpose: 'post', to })
await Promise.resolve()
process.stdout.write(`${workers.pids()[0]}\n`)
await answer
