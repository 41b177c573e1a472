import type { MemberId } from '../../domain/shared/ids.ts'
import type { MediaOwner } from '../../services/media/records.ts'
import { done } from '../../usecases/outcome.ts'
import type { Acting, SignedIn, Viewer } from '../../usecases/ports.ts'
import { findProof, type VisitorProof } from '../../usecases/register/proof.ts'
import { bearerTokenOf } from '../request/address-limit.server.ts'
import type { RequestContext } from '../request/context.server.ts'
import type { Worded } from '../words/words.ts'
import { type Answer, refusal } from './answer.ts'
import { loginRequired } from './refusal.server.ts'

/**
 * Who may call (api-contract §6.0). `account`: any live session that is not suspended. `uploader`: a member, or a
 * visitor whose bearer token is a sign-up proof. `member`: an active one. `newcomer`: an account, or a visitor whom Google
 * vouches for and who finishes the wizard (ruling R13).
 */
export type CallerOf = {
  anyone: null
  account: Viewer
  newcomer: Viewer | { readonly proof: string; readonly visitor: VisitorProof }
  uploader: MediaOwner
  member: MemberId
}
/** The same as they act; a visitor with a proof does not act yet. */
export type ActingOf = {
  anyone: null
  account: SignedIn & RequestContext
  newcomer: (SignedIn & RequestContext) | null
  uploader: Acting | null
  member: Acting & RequestContext
}
export type Caller = keyof CallerOf

type Called<C extends Caller> = { readonly me: CallerOf[C]; readonly acting: ActingOf[C] }
type Find<C extends Caller> = (context: RequestContext, request: Request) => Promise<Answer<Called<C>>>

const CALLERS: { readonly [C in Caller]: Find<C> } = {
  anyone: async () => done({ me: null, acting: null }),
  async account(context, request) {
    const who = await context.bearer()
    if (!who) return outside(context, request)
    return who.status === 'suspended' ? inactive('suspended') : done({ me: who, acting: calling(context, who) })
  },
  async newcomer(context, request) {
    if (await context.bearer()) {
      const found = await CALLERS.account(context, request)
      return found.ok ? done({ me: found.value.me, acting: found.value.acting }) : found
    }
    const visitor = await findProof(context, bearerTokenOf(request))
    return visitor?.googleKey ? done({ me: { proof: visitor.id, visitor }, acting: null }) : loginRequired()
  },
  async uploader(context, request) {
    if (await context.bearer()) {
      const found = await CALLERS.member(context, request)
      return found.ok ? done({ me: { member: found.value.me }, acting: found.value.acting }) : found
    }
    const proof = await findProof(context, bearerTokenOf(request))
    return proof ? done({ me: { proof: proof.id }, acting: null }) : loginRequired()
  },
  async member(context, request) {
    const who = await context.bearer()
    if (!who) return outside(context, request)
    return who.status === 'active' ? done({ me: who.member, acting: calling(context, who) }) : inactive(who.status)
  },
}

/** Whoever has a token is a program, which retries what it sends (decision 0018). */
const calling = (context: RequestContext, who: Viewer) => ({ ...context, who, retries: true }) as const

/** How to find out who calls, if they may. */
export const findCaller = <C extends Caller>(caller: C): Find<C> => CALLERS[caller]

/** Without a session; an account that Google began may only finish the wizard (ruling R13). */
async function outside(context: RequestContext, request: Request): Promise<Worded> {
  const proof = await findProof(context, bearerTokenOf(request))
  if (!proof?.googleKey) return loginRequired()
  return refusal(403, 'Please complete your registration.', { code: 'onboarding' })
}

const inactive = (status: 'deactivated' | 'suspended') => refusal(403, `Account ${status}`, { code: status })
