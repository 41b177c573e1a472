// WebM files whose heads or packets have a parser go through far more than a clip has.

/** An element of Matroska, its size in eight bytes. */
export function element(id: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from(id, 'hex'), number(body.length, 1n << 56n), body])
}

/** In eight bytes. */
function number(value: number, more = 0n): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(more + BigInt(value))
  return bytes
}

const KIND = element('1a45dfa3', element('4282', Buffer.from('webm')))
const [INFO, TRACKS, CUES, SEEK, VOID] = ['1549a966', '1654ae6b', '1c53bb6b', '4dbb', 'ec'] as const
export const CLUSTER = '1f43b675'
const OPUS = Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\x00\x00\x00', 'latin1')

/** A track of sounds, with more in its description. */
export function soundTrack(...more: readonly Buffer[]): Buffer {
  const rate = Buffer.alloc(8)
  rate.writeDoubleBE(48_000)
  return element(
    'ae',
    element('d7', Buffer.of(1)),
    element('73c5', Buffer.of(1)),
    element('83', Buffer.of(2)),
    element('86', Buffer.from('A_OPUS')),
    element('63a2', OPUS),
    element('e1', element('b5', rate), element('9f', Buffer.of(1))),
    ...more,
  )
}
export const SOUND = element(TRACKS, soundTrack())

/** So many blocks of one moment, each in these bytes. */
const cluster = (blocks: number, block: string) =>
  element(CLUSTER, element('e7', Buffer.of(0)), Buffer.alloc((blocks * block.length) / 2, block, 'hex'))
/** Two packets of a sound. */
const PACKETS = cluster(1, 'a38581000080ffa38581001480ff')

/** A file with this in its segment. */
export const webmOf = (...content: readonly Buffer[]) => Buffer.concat([KIND, element('18538067', ...content)])

/** As a browser records it: four packets in clusters of no known size, in a segment of none, and what lies behind them. */
export function recorded(behind: Buffer = Buffer.alloc(0), info: readonly Buffer[] = [], tracks = SOUND): Buffer {
  const open = (id: string) => Buffer.from(`${id}01ffffffffffffff`, 'hex')
  const packets = Buffer.from('a38781000080f8fffea38781001480f8fffe', 'hex')
  const clusters = [0, 40].flatMap((at) => [open(CLUSTER), element('e7', Buffer.of(at)), packets])
  const head = element(INFO, element('2ad7b1', Buffer.of(15, 66, 64)), ...info)
  return Buffer.concat([KIND, open('18538067'), head, tracks, ...clusters, behind])
}

/** A segment of no known size, where an element behind the packets promises less than nothing. */
export function endlessWebm(): Buffer {
  const last = Buffer.concat([Buffer.from('114d9b74', 'hex'), Buffer.alloc(40)])
  return Buffer.concat([KIND, Buffer.from('18538067ff', 'hex'), SOUND, cluster(1, 'a38581000080ff'), last])
}

/** The same before the packets. */
export const headlessWebm = () =>
  Buffer.concat([Buffer.from('1a45dfa3874282847765626d18538067ff114d9b74', 'hex'), Buffer.alloc(40)])

/** A sound whose blocks each promise 256 empty frames. */
export const lacedWebm = (blocks: number) => webmOf(SOUND, cluster(blocks, 'a38581000084ff'))

/** So many cues of the first packet's moment. */
function cuesOf(cues: number): Buffer {
  const cue = Buffer.from('b786f78101f18100', 'hex')
  return element(CUES, element('bb', element('b3', Buffer.of(0)), Buffer.alloc(cues * cue.length, cue)))
}

/** A sound of two packets, and so many cues. */
export const cuedWebm = (cues: number) => webmOf(SOUND, cuesOf(cues), PACKETS)

/** The same cues in a void, and what leads to them in another element, before which so many bytes of the segment lie. */
function soughtWebm(within: (seek: Buffer) => readonly Buffer[]): Buffer {
  const seekTo = (place: number) =>
    element(SEEK, element('53ab', Buffer.from(CUES, 'hex')), element('53ac', number(place)))
  const before = (place: number) => Buffer.concat([...within(seekTo(place))])
  const headBytes = element(VOID).length
  return webmOf(before(before(0).length + headBytes), element(VOID, cuesOf(600_000)), PACKETS)
}

/** Each with a block of a second track, and earlier than the one before. */
function fallingClusters(count: number): Buffer {
  const clusters = Buffer.alloc(count * 17, Buffer.from('1f43b6758ce78400000000a38482000080', 'hex'))
  for (let n = 0; n < count; n++) clusters.writeUInt32BE(count - n, n * 17 + 7)
  const second = Buffer.from('ae91d781028381028881008686415f4f505553', 'hex')
  return webmOf(element(TRACKS, soundTrack(), second), PACKETS, clusters, PACKETS)
}

/** A cluster that has so many elements of nothing, or a group in it. */
export function emptyWebm(elements: number, within: 'cluster' | 'group'): Buffer {
  const nothing = Buffer.alloc(elements * 2, 'ec80', 'hex')
  return webmOf(SOUND, element(CLUSTER, within === 'group' ? element('a0', nothing) : nothing), PACKETS)
}

/** Each is refused, or costs no more than a good clip. */
export const HOSTILE_WEBM: Readonly<Record<string, () => Buffer>> = {
  'what leads to cues, in the information': () => soughtWebm((seek) => [element(INFO, seek), SOUND]),
  'what leads to cues, beside tracks': () => soughtWebm((seek) => [element(TRACKS, soundTrack(), seek)]),
  'what leads to cues, in a track': () => soughtWebm((seek) => [element(TRACKS, soundTrack(seek))]),
  'clusters that each come before the last': () => fallingClusters(300_000),
  'a head behind the packets that is none': endlessWebm,
  'blocks of many frames': () => lacedWebm(20_000),
}
