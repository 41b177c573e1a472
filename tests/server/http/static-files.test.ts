import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStaticFiles } from '../../../server/http/static-files.ts'
import { makeTempDir } from '../../support/temp-folder.ts'

test.each(['identity', 'br'])('every answer sends the same kept bytes (%s)', async (encoding) => {
  const folder = makeTempDir('static-files-')
  writeFileSync(join(folder, 'page.js'), 'export {}\n'.repeat(1_000))
  const files = await createStaticFiles(folder)
  const request = new Request('http://localhost/page.js', { headers: { 'Accept-Encoding': encoding } })
  const read = async () => (await (await files(request, '/page.js'))?.body?.getReader().read())?.value
  const first = await read()
  expect(first?.byteLength).toBeGreaterThan(0)
  expect(await read()).toBe(first)
})
