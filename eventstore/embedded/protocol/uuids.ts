import type { UUID } from '@eventstore/db-client/generated/shared_pb.js'
import { shared } from './definitions.ts'
import { invalidArgument } from './errors.ts'

/** How a reader wants ids: as text, or as two signed 64-bit numbers. */
export type IdForm = 'text' | 'structured'

const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HALF = 16

/** An id in either of its forms, as text; what is text already may be no id. */
export function uuidText(uuid: UUID | undefined): string {
  const structured = uuid?.getStructured()
  if (structured)
    return dashed(hexOf(structured.getMostSignificantBits()) + hexOf(structured.getLeastSignificantBits()))
  return uuid?.getString() ?? ''
}

/** The id that a text is. */
export function uuidOf(text: string): string {
  if (!UUID_PATTERN.test(text)) throw invalidArgument('An id is no UUID.')
  return text.toLowerCase()
}

/** The bytes of an id as two numbers. */
export function structuredBytes(id: string): Buffer {
  const hex = id.replaceAll('-', '')
  const structured = new shared.UUID.Structured()
    .setMostSignificantBits(signed(hex.slice(0, HALF)))
    .setLeastSignificantBits(signed(hex.slice(HALF)))
  return Buffer.from(new shared.UUID().setStructured(structured).serializeBinary())
}

const hexOf = (number: string): string => BigInt.asUintN(64, BigInt(number)).toString(HALF).padStart(HALF, '0')

const signed = (hex: string): string => String(BigInt.asIntN(64, BigInt(`0x${hex}`)))

const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
