const OPUS = Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\x00\x00\x00', 'latin1')

/** A page of a stream, with all of a packet; `kind` 2 begins the stream. */
function page(stream: number, kind: number, packet: Buffer): Buffer {
  const head = Buffer.alloc(28)
  head.write('OggS', 'latin1')
  head.writeUInt8(kind, 5)
  head.writeUInt32LE(stream, 14)
  head.writeUInt8(1, 26)
  head.writeUInt8(packet.length, 27)
  return Buffer.concat([head, packet])
}

/** So many streams of sound that begin, of which none has more than that. */
export const manyStreams = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, stream) => page(stream, 2, OPUS)))
