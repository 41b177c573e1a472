import { hkdfSync } from 'node:crypto'
import type { PSKCallbackNegotation } from 'node:tls'

/** Another number where messages change: releases that do not understand each other do not meet. */
const IDENTITY = 'letsbuzz-limits-1'

/** Both ends prove that they know the secret, and nobody between them reads along: no certificate is needed. */
const TLS = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const

export function tlsBy(mediaSecret: string) {
  const psk = Buffer.from(hkdfSync('sha256', mediaSecret, '', 'limits that processes share', 32))
  return {
    server: { ...TLS, pskCallback: (_socket: unknown, identity: string) => (identity === IDENTITY ? psk : null) },
    client: {
      ...TLS,
      pskCallback: (): PSKCallbackNegotation => ({ psk, identity: IDENTITY }),
      checkServerIdentity: () => undefined,
    },
  }
}
