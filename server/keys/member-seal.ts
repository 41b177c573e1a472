import type { KeyRing } from '../../eventstore/keys.ts'
import type { MemberSeal } from '../../services/second-factor/second-factor.ts'

/** Encrypts by the keys that the log has of its members. */
export const sealBy = (keys: Pick<KeyRing, 'ensure' | 'load'>): MemberSeal => ({
  seal: (member, context, plain) => keys.ensure([member], (of) => of.encrypt(member, context, plain)),
  open: (member, context, sealed) => keys.load([member], (of) => of.decrypt(member, context, sealed)),
})
