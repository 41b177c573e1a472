import protobuf from 'google-protobuf'

type Reader = protobuf.BinaryReader
const { prototype } = protobuf.BinaryReader
const { readMessage, skipField } = prototype
const LENGTH_BYTES = 5
/** Kinds of fields. */
const WITH_LENGTH = 2
const GROUP = 3

/**
 * Makes the generated code refuse a message within a message, and a field that it does not know, that is longer than all there
 * is. Without it, it reads on behind the end of the bytes, for many seconds where five of them name a length of gigabytes;
 * and a length of ten bytes, which it takes for a negative one, leads it back to what it has read, for ever.
 */
export function boundLengths(): void {
  prototype.readMessage = function (message, read) {
    requireAll(this)
    return readMessage.call(this, message, read)
  }
  prototype.skipField = function () {
    const kind = this.getWireType() as number
    if (kind === WITH_LENGTH) requireAll(this)
    if (kind === GROUP) skipGroup(this)
    else skipField.call(this)
  }
}

function requireAll(reader: Reader): void {
  const [bytes, at] = [reader.getBuffer(), reader.getCursor()]
  if (lengthAt(bytes, at) > bytes.length - at) throw new Error('A field is longer than what it is in.')
}

/** As the generated code does, whose own would skip fields without a look at their length. */
function skipGroup(reader: Reader): void {
  const group = reader.getFieldNumber()
  while (reader.nextField() && !reader.isEndGroup()) reader.skipField()
  if (!reader.isEndGroup() || reader.getFieldNumber() !== group) throw new Error('A group has no end of its own.')
}

function lengthAt(bytes: Uint8Array, from: number): number {
  let length = 0
  for (let at = 0; at < LENGTH_BYTES; at++) {
    const byte = bytes[from + at] ?? 0
    length += (byte & 0x7f) * 0x80 ** at
    if (byte < 0x80) break
  }
  return length
}
