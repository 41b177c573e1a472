import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { byAny, type MasterKey, masterKeysOf } from '../domain/shared/master-key.ts'

const VERSION = 1
const IV = 12
const TAG = 16
const BODY = 1 + IV + TAG

/** A key of its own for each purpose, from one master secret. */
export function deriveKey(master: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), purpose, 32))
}

/** Seals bytes with AES-256-GCM, bound to a context such as a row's id. */
export type Box = {
  seal(context: string, plain: Buffer): Buffer
  /** Throws when the bytes were tampered with, belong to another context or are under none of the keys. */
  open(context: string, sealed: Buffer): Buffer
  /** The same under the first key; null where it is under that one already. Throws as `open` does. */
  reseal(context: string, sealed: Buffer): Buffer | null
}

/** `purpose`: where a rotation of the master key finds what was sealed, in `server/tools/keys`. */
export function createBox(masterKey: MasterKey, purpose: string): Box {
  const [first, ...others] = masterKeysOf(masterKey)
  const key = deriveKey(first, purpose)
  const keys = [key, ...others.map((other) => deriveKey(other, purpose))] as const
  const seal: Box['seal'] = (context, plain) => sealWith(key, context, plain)
  return {
    seal,
    open: (context, sealed) => byAny(keys, (one) => openWith(one, context, sealed)),
    reseal: (context, sealed) =>
      byAny(keys, (one) => {
        const plain = openWith(one, context, sealed)
        return one === key ? null : seal(context, plain)
      }),
  }
}

function sealWith(key: Buffer, context: string, plain: Buffer): Buffer {
  const iv = randomBytes(IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body])
}

function openWith(key: Buffer, context: string, sealed: Buffer): Buffer {
  if (sealed[0] !== VERSION || sealed.length < BODY) throw new Error('Not a sealed value.')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV))
  decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(sealed.subarray(1 + IV, BODY))
  return Buffer.concat([decipher.update(sealed.subarray(BODY)), decipher.final()])
}

/** 256 random bits for a cookie or a bearer header; only its hash is stored (security §3.2). */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Signatures that only the holder of the key can have made; each text has one, in one spelling. */
export type Signer = { sign(text: string): string; verify(text: string, signature: string): boolean }

export function createSigner(secret: Buffer, purpose: string): Signer {
  const key = deriveKey(secret, purpose)
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  // The texts are compared: several texts decode to the same bytes.
  return { sign, verify: (text, signature) => sameBytes(Buffer.from(sign(text)), Buffer.from(signature)) }
}
