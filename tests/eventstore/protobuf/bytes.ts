import fc from 'fast-check'

/** A number with `padding` bytes that add nothing, as a split or careless writer sends it. */
export function varint(value: bigint, padding = 0): number[] {
  const bytes: number[] = []
  for (let rest = value; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(value >> BigInt(7 * bytes.length)))
  for (let n = 0; n < padding; n++) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(0)
  }
  return bytes
}

const padding = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 9 }))
const number = fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
const scalar = fc.tuple(number, padding).map(([value, pad]) => varint(value, pad))
const word = fc.constantFrom('type', 'content-type', 'application/json', '7d4a8a52-8d0f-4d1f-9a0e-5f2f1f6f0b11', 'ä')
const payload = fc.oneof(
  word.map((text) => [...Buffer.from(text)]),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => [...bytes]),
)

const withLength = (bytes: fc.Arbitrary<number[]>) =>
  fc.tuple(bytes, padding).map(([inner, pad]) => [...varint(BigInt(inner.length), pad), ...inner])

const { message } = fc.letrec<{ message: number[]; field: number[] }>((tie) => ({
  field: fc
    .tuple(
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 8 }) }, fc.integer({ min: 0, max: 40 })),
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.tuple(fc.constant(2), withLength(fc.oneof({ maxDepth: 4 }, payload, tie('message')))),
        },
        { weight: 4, arbitrary: fc.tuple(fc.constant(0), scalar) },
        fc.tuple(
          fc.constantFrom(1, 3, 4, 5, 6, 7),
          fc.uint8Array({ maxLength: 8 }).map((bytes) => [...bytes]),
        ),
      ),
      padding,
    )
    .map(([field, [kind, value], pad]) => [...varint(BigInt(field * 8 + kind), pad), ...value]),
  message: fc.array(tie('field'), { maxLength: 5 }).map((fields) => fields.flat()),
}))

/** Bytes that look like a message: fields in any order and number, padded numbers, groups, unknown fields. */
export const likeMessage: fc.Arbitrary<Buffer> = message.map((bytes) => Buffer.from(bytes))

type Change = { at: number; cut: number; put: Uint8Array }

/** Messages with bytes changed, put in, or taken out at some places. */
export const spoiled = (messages: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> => {
  const change: fc.Arbitrary<Change> = fc.record({
    at: fc.nat(),
    cut: fc.integer({ min: 0, max: 3 }),
    put: fc.uint8Array({ maxLength: 3 }),
  })
  return fc
    .tuple(messages, fc.array(change, { maxLength: 3 }))
    .map(([bytes, changes]) => changes.reduce(changed, bytes))
}

const changed = (bytes: Buffer, { at, cut, put }: Change): Buffer => {
  const from = at % (bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, from), put, bytes.subarray(from + cut)])
}
