import { makeClip } from '../../services/support/clips.ts'
import { picture } from '../../services/support/media.ts'
import { pick, type Source } from './values.ts'

/** What no stored file may hold: it is put beside what a parser reads, where scripts and remarks hide. */
export const MARK = '<script>alert("spoiled")</script>'

type Spoil = (file: Buffer, source: Source, files: readonly Buffer[]) => Buffer

const at = ({ random }: Source, file: Buffer) => Math.floor(random() * file.length)

function overwritten(file: Buffer, source: Source, value: (old: number) => number): Buffer {
  const bytes = Buffer.from(file)
  const [start, count] = [at(source, file), 1 + Math.floor(source.random() * 32)]
  for (let n = start; n < Math.min(start + count, bytes.length); n++) bytes[n] = value(bytes[n] ?? 0)
  return bytes
}

const SPOILS: readonly Spoil[] = [
  // Cut off.
  (file, source) => file.subarray(0, at(source, file)),
  // Bits turned over here and there, from the start on, where the sizes are.
  (file, source) => {
    const bytes = Buffer.from(file)
    const step = 1 + Math.floor(source.random() * 200)
    for (let n = at(source, file) % 64; n < bytes.length; n += step) bytes[n] = (bytes[n] ?? 0) ^ (1 << (n % 8))
    return bytes
  },
  // Sizes and counts that are as large as can be, or nothing.
  (file, source) => overwritten(file, source, () => 0xff),
  (file, source) => overwritten(file, source, () => 0),
  (file, source) => overwritten(file, source, () => Math.floor(source.random() * 256)),
  // The head of one and the rest of another.
  (file, source, files) => {
    const other = pick(source, files)
    return Buffer.concat([file.subarray(0, at(source, file)), other.subarray(at(source, other))])
  },
  // A piece of itself again and again.
  (file, source) => {
    const start = at(source, file)
    const piece = file.subarray(start, start + 1 + Math.floor(source.random() * 400))
    return Buffer.concat([file.subarray(0, start), ...Array<Buffer>(200).fill(piece), file.subarray(start)])
  },
  // Whole, and a page behind it, or before it.
  (file) => Buffer.concat([file, Buffer.from(MARK)]),
  (file) => Buffer.concat([Buffer.from(MARK), file]),
]

/** One good file of each kind that somebody takes. */
export async function goodFiles(): Promise<Buffer[]> {
  const drawn = picture(120, 90)
  const kinds = ['jpeg', 'png', 'webp', 'gif'] as const
  const pictures = await Promise.all(kinds.map((kind) => drawn.clone().toFormat(kind).toBuffer()))
  const formats = ['mp4', 'fragments', 'webm', 'ogg'] as const
  return [...pictures, ...(await Promise.all(formats.map((format) => makeClip({ format, seconds: 1, title: MARK }))))]
}

/** Files of kinds that nobody takes, whatever they are called (security U2). */
export async function foreignFiles(): Promise<Buffer[]> {
  const drawn = picture(60, 40)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${MARK}</svg>`
  const heads = [
    '504b0304140000000800',
    '255044462d312e370a',
    '4d5a900003000000',
    '1f8b0800000000000003',
    'cafebabe00000034',
  ]
  return [
    await drawn.clone().tiff().toBuffer(),
    ...[svg, `<?xml version="1.0"?>${svg}`, `<!doctype html>${MARK}`, MARK, ''].map((text) => Buffer.from(text)),
    ...heads.map((head) => Buffer.concat([Buffer.from(head, 'hex'), Buffer.from(MARK)])),
  ]
}

/** What a file may claim to be called. */
export const NAMES: readonly string[] = [
  ...['holiday.jpg', 'page.html', 'drawing.svg', '../../../etc/passwd.jpg', 'a.jpg.php', 'a.php%00.jpg', '.htaccess'],
  ...[
    '',
    'C:\\a.jpg',
    '\u202egpj.exe',
    '👩‍👩‍👧.jpg',
    'a\r\nContent-Type: text/html.jpg',
    `${'n'.repeat(3_000)}.jpg`,
    MARK,
  ],
]

/** A file with something done to it that nobody means well with. */
export function spoiled(files: readonly Buffer[], source: Source): Buffer {
  const file = pick(source, files)
  const once = pick(source, SPOILS)(file, source, files)
  return source.random() < 0.3 && once.length > 0 ? pick(source, SPOILS)(once, source, files) : once
}
