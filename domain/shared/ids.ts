import { z } from 'zod'
import { ID_PATTERN } from './id-pattern.ts'

const id = () => z.string().regex(ID_PATTERN)

export const MemberId = id().brand<'MemberId'>()
export type MemberId = z.infer<typeof MemberId>

export const MediaId = id().brand<'MediaId'>()
export type MediaId = z.infer<typeof MediaId>

export const ReportId = id().brand<'ReportId'>()
export type ReportId = z.infer<typeof ReportId>

export const NotificationId = id().brand<'NotificationId'>()
export type NotificationId = z.infer<typeof NotificationId>

export const SessionId = id().brand<'SessionId'>()
export type SessionId = z.infer<typeof SessionId>

/** Of an e-mail address: random; of one from before there were ids, its keyed hash (decision 0023). */
export const AddressId = z
  .string()
  .regex(/^([0-9a-z]{24}|[0-9a-f]{64})$/)
  .brand<'AddressId'>()
export type AddressId = z.infer<typeof AddressId>

/** Made by the client, unique in its room (api-contract §6.0). */
export const MessageId = z
  .string()
  .regex(/^[0-9A-Za-z-]{1,64}$/)
  .brand<'MessageId'>()
export type MessageId = z.infer<typeof MessageId>

/** The two member ids sorted and joined by `_`: one stream, one chat room, whoever buzzed first (ruling R16). */
export const PairId = z
  .string()
  .regex(/^[0-9a-z]{20,32}_[0-9a-z]{20,32}$/)
  .brand<'PairId'>()
export type PairId = z.infer<typeof PairId>

/** The pair of two members, the same whichever comes first. */
export function pairIdOf(a: MemberId, b: MemberId): PairId {
  return (a < b ? `${a}_${b}` : `${b}_${a}`) as PairId
}

export function membersOf(pair: PairId): [MemberId, MemberId] {
  const [a, b] = pair.split('_') as [MemberId, MemberId]
  return [a, b]
}

/** The other of the two; the pair must hold `me`. */
export function otherOf(pair: PairId, me: MemberId): MemberId {
  const [a, b] = membersOf(pair)
  return a === me ? b : a
}
