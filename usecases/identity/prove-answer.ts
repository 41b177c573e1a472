import { type Answer, done, inWords, refused, tooMany } from '../answer.ts'
import type { Ports, Viewer } from '../ports.ts'
import { prove } from './prove.ts'

/** What is said where no password is given, and the codes of both refusals. */
export type Asking = { readonly ask: string; readonly missing: string; readonly wrong: string }
const WRONG = 'That is not your password.'

/** `prove` in the words of the two actions that ask for a password. */
export async function proveWith(
  context: Ports,
  viewer: Viewer,
  password: string | undefined,
  { ask, missing, wrong }: Asking,
): Promise<Answer<null>> {
  const outcome = await prove({ ...context, who: viewer }, password)
  if (outcome.ok) return done(null)
  if (outcome.reason === 'password-needed') return refused(403, ask, { code: missing, fields: { password: ask } })
  if (outcome.reason === 'wrong-password') return refused(403, WRONG, { code: wrong, fields: { password: WRONG } })
  const wait = outcome.retryInMs ?? 0
  return tooMany(wait, `Too many tries. You can try again ${inWords(wait)}.`)
}
