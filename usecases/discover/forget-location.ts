import { type PipelineRefusal, slowDown } from '../act.ts'
import { done, type Outcome } from '../outcome.ts'
import type { Acting } from '../ports.ts'

export type ForgetRefusal = Extract<PipelineRefusal, 'slow-down'>

/** Removes all that is kept of where the member is. Nobody has to wait for that; how often a place follows is limited. */
export async function forgetLocation(acting: Acting): Promise<Outcome<null, ForgetRefusal>> {
  const wait = await slowDown(acting, 'WRITE')
  if (wait) return wait
  await acting.positions.remove(acting.who.member)
  return done(null)
}
