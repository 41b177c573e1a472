import { PAGE_PARTS } from '../../../services/media/form.ts'
import { type Caps, readParts } from '../../../services/media/multipart.ts'

/** What the start of a form with files holds: its texts, what its files are called, and whether that is all of it. */
export type KeptParts = {
  readonly texts: readonly (readonly [string, string])[]
  readonly files: readonly string[]
  readonly isAll: boolean
}

const FILE_NAME_LENGTH = 80

/** Reads the texts in the start, of the last one perhaps a part, with a sign for what is no UTF-8. Files are read past. */
export async function partsIn({ url, headers }: Request, start: Buffer): Promise<KeptParts> {
  const texts: [string, string][] = []
  const files: string[] = []
  const type = headers.get('Content-Type') ?? ''
  const init = { method: 'POST', headers: { 'Content-Type': type }, body: new Uint8Array(start) }
  const refusal = await readParts(new Request(url, init), capsOf(start), {
    field(name, value) {
      texts.push([name, value.toString()])
      return null
    },
    async file(_name, chunks, fileName) {
      if (fileName !== '') files.push(fileName.slice(0, FILE_NAME_LENGTH))
      for await (const _ of chunks);
      return null
    },
  })
  return { texts, files, isAll: refusal === null }
}

const capsOf = ({ length }: Buffer): Caps => ({
  parts: PAGE_PARTS,
  files: PAGE_PARTS,
  fieldBytes: length,
  textBytes: length,
  bytes: length,
  idleMs: 1_000,
})
