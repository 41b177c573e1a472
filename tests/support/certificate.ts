import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** PEM files of a self-signed certificate for this machine's loopback, good for an hour. */
export type Certificate = { certFile: string; keyFile: string }

const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const OBJECT_ID = 0x06
const UTF8 = 0x0c
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87
const HOUR_MS = 3_600_000

const COMMON_NAME = '550403'
const ECDSA_SHA256 = '2a8648ce3d040302'
const ALTERNATIVE_NAMES = '551d11'

/** One value of DER: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const length = content.length
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const objectId = (hex: string) => der(OBJECT_ID, Buffer.from(hex, 'hex'))
const time = (ms: number) =>
  der(UTC_TIME, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
const name = der(SEQUENCE, der(SET, der(SEQUENCE, objectId(COMMON_NAME), der(UTF8, Buffer.from('localhost')))))
const names = der(SEQUENCE, der(DNS_NAME, Buffer.from('localhost')), der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])))

export function makeCertificate(folder: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, objectId(ECDSA_SHA256))
  const version3 = der(0xa0, der(INTEGER, Buffer.from([2])))
  const validity = der(SEQUENCE, time(Date.now() - HOUR_MS), time(Date.now() + HOUR_MS))
  const extension = der(SEQUENCE, objectId(ALTERNATIVE_NAMES), der(OCTET_STRING, names))
  const body = der(
    SEQUENCE,
    ...[version3, der(INTEGER, Buffer.from([1])), algorithm, name, validity, name],
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  )
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = der(SEQUENCE, body, algorithm, signature).toString('base64')
  const files = { certFile: join(folder, 'log.crt'), keyFile: join(folder, 'log.key') }
  writeFileSync(files.certFile, `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`)
  writeFileSync(files.keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return files
}
