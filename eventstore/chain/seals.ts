import { createHmac, createPrivateKey, createPublicKey, hkdfSync, sign, timingSafeEqual, verify } from 'node:crypto'
import { type MasterKey, masterKeysOf } from '../../domain/shared/master-key.ts'
import type { Day, Segment } from './heads.ts'

/** An Ed25519 key as PKCS #8, without its seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SEED = 32

/** Seals segments for those who hold the master key, and signs days for those who hold its public part alone. */
export type Seals = {
  mac(segment: Omit<Segment, 'mac'>): Buffer
  holds(segment: Segment): boolean
  sign(day: Omit<Day, 'signature'>): Buffer
  signed(day: Day): boolean
  /** Base64 of the raw Ed25519 key that `sign` signs for. */
  readonly publicKey: string
}

/** Seals and signs by the first key; what any of them sealed or signed holds. */
export function createSeals(masterKey: MasterKey): Seals {
  const [first, ...others] = masterKeysOf(masterKey).map(sealsOf)
  const all = [first!, ...others]
  return {
    ...first!,
    holds: (segment) => all.some((one) => one.holds(segment)),
    signed: (day) => all.some((one) => one.signed(day)),
  }
}

function sealsOf(masterKey: Uint8Array): Seals {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), purpose, SEED))
  const macKey = derive('chain-mac')
  const seed = derive('chain-sign')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key)
  const mac: Seals['mac'] = (segment) => createHmac('sha256', macKey).update(textOfSegment(segment)).digest()
  return {
    mac,
    holds(segment) {
      const expected = mac(segment)
      return expected.length === segment.mac.length && timingSafeEqual(expected, segment.mac)
    },
    sign: (day) => sign(null, Buffer.from(textOfDay(day)), key),
    signed: (day) => verify(null, Buffer.from(textOfDay(day)), publicKey, day.signature),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-SEED).toString('base64'),
  }
}

function textOfSegment({ seq, after, last, events, day, prev, content, listing, head }: Omit<Segment, 'mac'>): string {
  const hashes = [prev, content, listing, head].map((bytes) => bytes.toString('hex'))
  return ['letsbuzz chain segment 1', seq, after, last, events, day, ...hashes].join('|')
}

/** What a day's signature covers; docs/decisions/0007-hash-chain.md explains how to check it elsewhere. */
function textOfDay({ day, seq, last, events, head }: Omit<Day, 'signature'>): string {
  return ['letsbuzz chain day 1', day, seq, last, events, head.toString('hex')].join('|')
}
