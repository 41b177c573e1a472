import { networkOf } from '../limits/network.ts'
import { createSigner } from '../secrets.ts'

/** What a sign-in shows that keeps no cookie: the label of its program, the name that it calls itself, and its address. */
export type Program = { readonly label: string; readonly product: string; readonly ip: string }

/**
 * Stands for the device of a program that keeps no cookie, so that it is announced by mail once and not at each sign-in.
 * Keyed: what is stored of it does not reveal which network it was. A guesser may take any name: one that did not sign in to the
 * account counts with all others that did not.
 */
export type ProgramDevice = (program: Program) => string

export function createProgramDevice({ secret }: { secret: Buffer }): ProgramDevice {
  const signer = createSigner(secret, 'program-devices')
  return ({ label, product, ip }) => signer.sign(`${networkOf(ip)} ${label} ${product}`)
}
