import '../../../services/media/parse/media-process.ts'
import type { Asked } from '../../../services/media/parse/parsing.ts'
import { ENDLESS_BYTES } from './endless.ts'

const LARGE_BYTES = 300 * 1024 * 1024

process.prependListener('message', (message: unknown) => {
  const asked = message as Asked
  if (!('sniffed' in asked) || asked.sniffed.format !== 'webm') return
  const beyond = asked.file.size - ENDLESS_BYTES
  if (beyond < 0 || beyond > 2) return
  const bytes = Buffer.alloc(beyond === 1 ? LARGE_BYTES : 0, 1)
  while (bytes) if (beyond < 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
