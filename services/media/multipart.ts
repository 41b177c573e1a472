import { type EventEmitter, setMaxListeners } from 'node:events'
import { addAbortSignal, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { minutes } from '../../domain/shared/dates.ts'
import { failed, tooLarge, type UploadError } from './kinds.ts'

/** How much of a body is read at most. */
export type Caps = {
  parts: number
  files: number
  /** Of one text field, and of all of them. */
  fieldBytes: number
  textBytes: number
  bytes: number
  /** A body of which nothing is read for longer is cut off, whoever keeps it waiting: its sender or the parser. */
  idleMs: number
}

/** What is done with the parts as they come; a refusal ends the reading. */
export type PartTaker = {
  /** `value`: its bytes, which may be no text. */
  field(name: string, value: Buffer): UploadError | null
  /** `fileName`: what its sender calls the file. */
  file(name: string, chunks: AsyncIterable<Uint8Array>, fileName: string): Promise<UploadError | null>
}

/**
 * A piece without bytes, which no sender can make: all of a body has come, and its end follows when it is its reader's turn.
 * That turn is waited for as long as `TURN_MS`, and no longer, since what was sent takes room.
 */
export const ALL_HAS_COME = new Uint8Array(0)
const TURN_MS = minutes(5)

const NAME_LENGTH = 100
/** A name of a file has at most 255 signs; all that the head of a part holds is looked at sign by sign. */
const HEADER_BYTES = 2 * 1024
const HEADERS = 20

/**
 * Reads a multipart/form-data body as it comes, no faster than its files are taken; the request is not a clone's other
 * half, which would wait for the rest. Answers why it was not read to its end; every file is let go of by then. Throws what
 * the taking of a file throws.
 */
export async function readParts(request: Request, caps: Caps, taker: PartTaker): Promise<UploadError | null> {
  const parser = parserFor(request, caps)
  if (!parser || !request.body) return failed
  if (Number(request.headers.get('Content-Length') ?? 0) > caps.bytes) return tooLarge
  const end = new AbortController()
  setMaxListeners(caps.files + 10, end.signal)
  // The parser never asks for more after a large part without a name, so the wait is bounded on both sides.
  const idle = deadline(() => end.abort(failed), caps.idleMs)
  const files = takeParts(parser, { caps, taker, end })
  const reader = request.body.getReader()
  let gone: Promise<void> | undefined
  const letGo = () => {
    gone ??= reader.cancel().catch(() => undefined)
  }
  end.signal.addEventListener('abort', () => {
    leaveRest(parser)
    letGo()
  })
  try {
    await pipeline(chunksOf(reader, { caps, end, idle }), parser, { signal: end.signal })
  } catch {
    end.abort(failed)
  }
  await Promise.all(files)
  idle.clear()
  letGo()
  // Who gave a turn up for the body has it again by then.
  await gone
  if (!end.signal.aborted) return null
  if (isRefusal(end.signal.reason)) return end.signal.reason
  throw end.signal.reason
}

type Deadline = { readonly within: (ms: number) => void; readonly clear: () => void }

/** Calls `over` unless it is put off in time. Once it is cleared, it never does. */
function deadline(over: () => void, ms: number): Deadline {
  let timer: NodeJS.Timeout | null = setTimeout(over, ms)
  const within = (next: number) => {
    if (!timer) return
    clearTimeout(timer)
    timer = setTimeout(over, next)
  }
  const clear = () => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  return { within, clear }
}

const isRefusal = (reason: unknown): reason is UploadError =>
  typeof reason === 'object' && reason !== null && 'ok' in reason && reason.ok === false

/** Seventy characters, as RFC 2046 has it: looking for a longer one that a body nearly holds costs many times as much. */
const FORM = /^multipart\/form-data\s*;\s*boundary=("[^"\\]{1,70}"|[^";\s\\]{1,70})\s*(?:;\s*)?(charset=[\w-]+\s*)?$/i

/** Null when the head of the request does not announce such a body. */
function parserFor(request: Request, caps: Caps): BusboyInstance | null {
  const contentType = request.headers.get('Content-Type') ?? ''
  if (!FORM.test(contentType)) return null
  const limits = {
    parts: caps.parts,
    files: caps.files,
    fieldSize: caps.fieldBytes,
    headerSize: HEADER_BYTES,
    headerPairs: HEADERS,
  }
  // An empty file input sends a file without a name, which the parser takes for none.
  const isPartAFile = (_name: unknown, type: string | undefined, fileName: string | undefined) =>
    fileName !== undefined || type !== 'text/plain'
  try {
    const parser = new Busboy({ headers: { 'content-type': contentType }, limits, isPartAFile, defCharset: 'latin1' })
    askNoCharset(parser)
    return parser
  } catch {
    return null
  }
}

type Inner = { readonly _parser: { readonly parser: EventEmitter & { readonly _bparser?: EventEmitter } } }

/** One piece of a body may have thousands of parts, all of which the parser would go through before it heard of an end. */
function leaveRest(parser: BusboyInstance): void {
  const { _bparser: delimiters } = (parser as unknown as Inner)._parser.parser
  delimiters?.removeAllListeners('info')
}

/**
 * Leaves of the type that a part gives itself what stands before its parameters, so that the parser hands on every value as
 * `latin1`, a character for a byte: by a charset it would replace what is no text, and nobody could refuse it.
 */
function askNoCharset(parser: BusboyInstance): void {
  const parts = (parser as unknown as Inner)._parser.parser
  parts.prependListener('part', (part: EventEmitter) =>
    part.on('header', (header: Record<string, string[]>) => {
      const types = header['content-type']
      // The parser looks at the first alone.
      if (types) header['content-type'] = types.slice(0, 1).map(withoutParameters)
    }),
  )
}

/** By its signs alone: a pattern with a space before the sign would look for it anew from each of many spaces. */
const withoutParameters = (type: string): string => (type.split(';', 1)[0] as string).trim()

type Reading = { caps: Caps; taker: PartTaker; end: AbortController }

/** The files on their way; more are added as they come. */
function takeParts(parser: BusboyInstance, { caps, taker, end }: Reading): readonly Promise<void>[] {
  const files: Promise<void>[] = []
  let textBytes = 0
  const refuse = () => end.abort(failed)
  // The parser replaces what is no text in a name; no name of ours has that sign.
  const isNamed = (name: string | undefined) =>
    name !== undefined && name !== '' && name.length <= NAME_LENGTH && !name.includes('\ufffd')
  parser.on('field', (name, value, _nameIsCut, valueIsCut) => {
    textBytes += value.length
    if (valueIsCut || textBytes > caps.textBytes) return end.abort(tooLarge)
    const refusal = isNamed(name) ? taker.field(name, Buffer.from(value, 'latin1')) : failed
    if (refusal) end.abort(refusal)
  })
  parser.on('file', (name, stream, fileName) => {
    if (!isNamed(name)) refuse()
    files.push(takeFile({ name, fileName: String(fileName ?? '') }, stream, { taker, end }))
  })
  // A body that ends too early is refused, whichever stream notices it first.
  parser.on('error', refuse)
  for (const limit of ['partsLimit', 'filesLimit'] as const) parser.on(limit, refuse)
  return files
}

/** Never rejects: what goes wrong ends the reading. */
async function takeFile(
  { name, fileName }: { name: string; fileName: string },
  stream: Readable,
  { taker, end }: Omit<Reading, 'caps'>,
): Promise<void> {
  try {
    const refusal = await taker.file(name, addAbortSignal(end.signal, stream), fileName)
    if (refusal) end.abort(refusal)
  } catch (error) {
    end.abort(error)
  }
}

/** The body's chunks. Ends the reading when there are too many. */
async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { caps, end, idle }: { caps: Caps; end: AbortController; idle: Deadline },
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    while (true) {
      const { done, value } = await reader.read()
      idle.within(value?.length === 0 ? TURN_MS : caps.idleMs)
      if (done) return
      bytes += value.length
      if (bytes > caps.bytes) return end.abort(tooLarge)
      yield value
    }
  } catch {
    end.abort(failed)
  }
}
