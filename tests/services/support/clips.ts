import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

type Wanted = {
  format: 'mp4' | 'fragments' | 'webm' | 'ogg'
  seconds: number
  width?: number
  height?: number
  video?: boolean
  audio?: boolean
  title?: string
  /** Of each picture. */
  frameBytes?: number
}

const OPUS_HEAD = new Uint8Array([...Buffer.from('OpusHead'), 1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0])
/** A code 0 packet of 20 ms silence. */
const OPUS_SILENCE = new Uint8Array([0xf8, 0xff, 0xfe])
const FRAME_SECONDS = 0.5

const formats = {
  mp4: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
  fragments: () => new Mp4OutputFormat({ fastStart: 'fragmented' }),
  webm: () => new WebMOutputFormat(),
  ogg: () => new OggOutputFormat(),
}

/** A tiny clip: two frames of made-up VP9 a second, and silence. */
export async function makeClip(wanted: Wanted): Promise<Buffer> {
  const {
    format,
    seconds,
    width = 64,
    height = 48,
    video = format !== 'ogg',
    audio = true,
    title,
    frameBytes = 40,
  } = wanted
  const target = new BufferTarget()
  const output = new Output({ format: formats[format](), target })
  const pictures = new EncodedVideoPacketSource('vp9')
  const sounds = new EncodedAudioPacketSource('opus')
  if (video) output.addVideoTrack(pictures)
  if (audio) output.addAudioTrack(sounds)
  if (title) output.setMetadataTags({ title, comment: title, raw: { '©xyz': title } })
  await output.start()
  const tasks: Promise<void>[] = []
  if (video) tasks.push(addPictures(pictures, { seconds, width, height, frameBytes }))
  if (audio) tasks.push(addSounds(sounds, seconds))
  await Promise.all(tasks)
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

type Pictures = { seconds: number; width: number; height: number; frameBytes: number }
async function addPictures(source: EncodedVideoPacketSource, { seconds, width, height, frameBytes }: Pictures) {
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: width, codedHeight: height }
  for (let at = 0; at < seconds; at += FRAME_SECONDS) {
    const data = new Uint8Array(frameBytes).fill(at * 2)
    const packet = new EncodedPacket(data, 'key', at, Math.min(FRAME_SECONDS, seconds - at))
    await source.add(packet, at === 0 ? { decoderConfig } : undefined)
  }
}

async function addSounds(source: EncodedAudioPacketSource, seconds: number) {
  const decoderConfig = { codec: 'opus', sampleRate: 48_000, numberOfChannels: 1, description: OPUS_HEAD }
  const count = Math.round(seconds / 0.02)
  for (let n = 0; n < count; n++) {
    const packet = new EncodedPacket(OPUS_SILENCE, 'key', n * 0.02, 0.02)
    await source.add(packet, n === 0 ? { decoderConfig } : undefined)
  }
}

/** When each packet of a clip is shown, in milliseconds, and its bytes; by kind of track. */
export async function packetsOf(clip: Uint8Array): Promise<Record<string, [number, string][]>> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(clip) })
  const found: Record<string, [number, string][]> = {}
  for (const track of await input.getTracks()) {
    const packets: [number, string][] = []
    for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
      packets.push([Math.round(timestamp * 1000), Buffer.from(data).toString('hex')])
    }
    found[track.type] = packets
  }
  input.dispose()
  return found
}
