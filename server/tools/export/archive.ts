import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { indexPage, type ListedFile } from './index-page.ts'
import { conversationSections, historySection, othersSections } from './others.ts'
import { listMedia, mediaPath, ownSections } from './own.ts'
import type { Asking, Section } from './section.ts'

/** Called after each file of the archive. */
export type OnProgress = (done: number, total: number) => Promise<void>
export type Archive = {
  readonly stream: Readable
  /** Resolves when the last byte is out; rejects with what went wrong, and the stream ends with it. */
  readonly done: Promise<void>
}

/**
 * The zip of a member's data, made while it is read: one file after the other goes through it, a page of rows or events
 * at a time, so that no file is ever in memory whole.
 */
export function archiveOf(asking: Asking, at: Date, progress: OnProgress): Archive {
  const zip = new ZipFile()
  const stream = zip.outputStream as Readable
  zip.on('error', (error: Error) => stream.destroy(error))
  // It may end before anybody takes its bytes; `done` rejects with the reason.
  stream.on('error', () => undefined)
  const done = fill(zip, asking, at, progress).catch((error: unknown) => {
    stream.destroy(error instanceof Error ? error : new Error('The archive could not be made.'))
    throw error
  })
  done.catch(() => undefined)
  return { stream, done }
}

async function fill(zip: ZipFile, asking: Asking, at: Date, progress: OnProgress): Promise<void> {
  const add = async (path: string, source: Readable, compress: boolean) => {
    // What reads may be cut off later than what waits for it.
    source.on('error', () => undefined)
    asking.signal.throwIfAborted()
    zip.addReadStream(source, path, { mtime: at, compress })
    await finished(source, { signal: asking.signal }).finally(() => source.destroy())
  }
  const conversations = await conversationSections(asking)
  const sections = [...ownSections(asking), ...othersSections(asking), ...conversations, historySection(asking)]
  const files = await listMedia(asking)
  const total = sections.length + files.length + 1
  const listed: ListedFile[] = []
  let done = 0
  for (const section of sections) {
    const count = { items: 0 }
    await add(section.path, Readable.from(json(section, count)), true)
    listed.push({ ...section, count: count.items })
    await progress(++done, total)
  }
  for (const file of files) {
    const opened = await asking.media.open(file.id)
    // Deleted by its owner since the list was made.
    if (opened.ok) await add(mediaPath(file), Readable.fromWeb(opened.body as never), false)
    await progress(++done, total)
  }
  const page = await indexPage(asking, { at, listed, files })
  await add('index.html', Readable.from([Buffer.from(page)]), true)
  await progress(total, total)
  zip.end()
}

/** A list in JSON, an item a line. */
async function* json({ items }: Section, count: { items: number }): AsyncGenerator<Buffer> {
  const pending: string[] = []
  let length = 0
  for await (const item of items()) {
    const line = `${count.items++ === 0 ? '[\n' : ',\n'}${JSON.stringify(item)}`
    pending.push(line)
    length += line.length
    if (length < CHUNK) continue
    yield Buffer.from(pending.splice(0).join(''))
    length = 0
  }
  yield Buffer.from(`${pending.join('')}${count.items === 0 ? '[]\n' : '\n]\n'}`)
}

const CHUNK = 64 * 1024
