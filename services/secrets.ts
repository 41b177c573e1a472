import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const VERSION = 1
const IV = 12
const TAG = 16
const BODY = 1 + IV + TAG

/** A key of its own for each purpose, from one master secret. */
export function deriveKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), purpose, 32))
}

/** Seals bytes with AES-256-GCM, bound to a context such as a row's id. */
export type Box = {
  seal(context: string, plain: Buffer): Buffer
  /** Throws when the bytes were tampered with or belong to another context. */
  open(context: string, sealed: Buffer): Buffer
}

export function createBox(masterKey: Buffer, purpose: string): Box {
  const key = deriveKey(masterKey, purpose)
  return {
    seal(context, plain) {
      const iv = randomBytes(IV)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context, 'utf8'))
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body])
    },
    open(context, sealed) {
      if (sealed[0] !== VERSION || sealed.length < BODY) throw new Error('Not a sealed value.')
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + IV))
      decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(sealed.subarray(1 + IV, BODY))
      return Buffer.concat([decipher.update(sealed.subarray(BODY)), decipher.final()])
    },
  }
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
