import fc from 'fast-check'
import { makeClip } from '../../services/support/clips.ts'
import { picture } from '../../services/support/pictures.ts'
import { mostly } from './values.ts'

/** What no stored file may hold: it is put beside what a parser reads, where scripts and remarks hide. */
export const MARK = '<script>alert("spoiled")</script>'

type Spoil = (file: Buffer, files: readonly Buffer[]) => fc.Arbitrary<Buffer>

const placeIn = (file: Buffer) => fc.nat(Math.max(0, file.length - 1))

/** Some of its bytes in a row by others. */
const overwritten = (file: Buffer, value: fc.Arbitrary<number>) =>
  fc.tuple(placeIn(file), fc.array(value, { minLength: 1, maxLength: 32 })).map(([start, values]) => {
    const bytes = Buffer.from(file)
    bytes.set(values.slice(0, bytes.length - start), start)
    return bytes
  })

const SPOILS: readonly Spoil[] = [
  // Cut off.
  (file) => placeIn(file).map((end) => file.subarray(0, end)),
  // Bits turned over here and there, from the start on, where the sizes are.
  (file) =>
    fc.tuple(fc.integer({ min: 1, max: 200 }), fc.nat(63)).map(([step, start]) => {
      const bytes = Buffer.from(file)
      for (let n = start; n < bytes.length; n += step) bytes[n] = (bytes[n] ?? 0) ^ (1 << (n % 8))
      return bytes
    }),
  // Sizes and counts that are as large as can be, or nothing.
  (file) => overwritten(file, fc.constant(0xff)),
  (file) => overwritten(file, fc.constant(0)),
  (file) => overwritten(file, fc.nat(255)),
  // The head of one and the rest of another.
  (file, files) =>
    fc
      .constantFrom(...files)
      .chain((other) => fc.tuple(placeIn(file), placeIn(other), fc.constant(other)))
      .map(([end, start, other]) => Buffer.concat([file.subarray(0, end), other.subarray(start)])),
  // A piece of itself again and again.
  (file) =>
    fc.tuple(placeIn(file), fc.integer({ min: 1, max: 400 })).map(([start, length]) => {
      const piece = file.subarray(start, start + length)
      return Buffer.concat([file.subarray(0, start), ...Array<Buffer>(200).fill(piece), file.subarray(start)])
    }),
  // Whole, and a page behind it, or before it.
  (file) => fc.constant(Buffer.concat([file, Buffer.from(MARK)])),
  (file) => fc.constant(Buffer.concat([Buffer.from(MARK), file])),
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

/** A file with something done to it, once or twice, that nobody means well with. */
export function spoiled(files: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const once = (file: Buffer) => fc.constantFrom(...SPOILS).chain((spoil) => spoil(file, files))
  const first = fc.constantFrom(...files).chain(once)
  return mostly(
    70,
    first,
    first.chain((file) => (file.length > 0 ? once(file) : fc.constant(file))),
  )
}
