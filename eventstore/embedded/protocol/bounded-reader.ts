import protobuf from 'google-protobuf'

const { prototype } = protobuf.BinaryReader
const { readMessage } = prototype
const LENGTH_BYTES = 5

/**
 * Makes the generated code refuse a message within a message that is longer than all there is. Without it, it reads on
 * behind the end of the bytes, for many seconds where five of them name a length of gigabytes.
 */
export function boundNestedMessages(): void {
  prototype.readMessage = function (message, read) {
    const [bytes, at] = [this.getBuffer(), this.getCursor()]
    if (lengthAt(bytes, at) > bytes.length - at) throw new Error('A message is longer than what it is in.')
    return readMessage.call(this, message, read)
  }
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
