import { z } from 'zod'
import { PASSWORD_MAX } from '../../../domain/shared/password.ts'
import { forgotPassword } from '../../../usecases/identity/forgot-password.ts'
import { logIn } from '../../../usecases/identity/log-in.ts'
import { logOut } from '../../../usecases/identity/log-out.ts'
import { resetPassword } from '../../../usecases/identity/reset-password.ts'
import { sendCode } from '../../../usecases/identity/send-code.ts'
import { signInWithGoogle } from '../../../usecases/identity/sign-in-with-google.ts'
import { verifyCode } from '../../../usecases/identity/verify-code.ts'
import { done, type Outcome } from '../../../usecases/outcome.ts'
import { register } from '../../../usecases/register/register.ts'
import { Registration } from '../../../usecases/register/rules.ts'
import { bearerTokenOf } from '../../request/address-limit.server.ts'
import { deviceLabel, proofCookie } from '../../request/session-cookie.server.ts'
import {
  CODE_SENT,
  FORGOT_WORDS,
  GOOGLE_WORDS,
  LOG_IN_WORDS,
  RESET_DONE,
  RESET_SENT,
  resetWords,
  SEND_CODE_WORDS,
  VERIFY_CODE_WORDS,
} from '../../words/auth-words.ts'
import { registrationRefusals, registrationWorded } from '../../words/registration-words.server.ts'
import { ENTER_CODE } from '../../words/second-factor-words.ts'
import { limitWorded, type WordTable, worded } from '../../words/words.ts'
import { type Refusal, refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { ownUser } from '../own-user.server.ts'
import { programOf, Session } from '../program.server.ts'
import { loginRequired } from '../refusal.server.ts'
import { OnboardingUser, Self, Success, success } from '../shapes.ts'

/** What is typed on sign-in forms; the action explains in the form's own words what is wrong with it. */
const typed = z.string().max(2048).optional()
/** What is no text is a wrong code like any other. */
const code = typed.catch(undefined).meta({ description: 'Six digits, of the mail.' })
const newPassword = typed.meta({
  maxLength: PASSWORD_MAX,
  description: 'Counted in code points. The operator sets the least; what others often use is refused.',
})
const ownEmail = z.string().nullish().meta({ description: 'The address that was confirmed, or none.' })
const signupToken = z.string().max(512).optional().catch(undefined)
const Done = z.object({ success: z.literal(true), message: z.string() })
const BOTH_REQUIRED = 'Email and password are required.'
const failed = { success: false } as const

/** The refusal of a right first factor has what the second one is given with. */
const challenging = (refusals: readonly Refusal[]) =>
  refusals.map((one) => (one.code === ENTER_CODE.code ? { ...one, challenge: 'random' } : one))

/** A call that is done with a sentence, or refused in the words of its table. */
function doneWith<R extends string>(outcome: Outcome<unknown, R>, table: WordTable<R>, message: string) {
  return outcome.ok ? done({ success: true as const, message }) : limitWorded(table, outcome)
}

export const login = defineCall({
  id: 'C01',
  method: 'POST',
  path: '/auth/login',
  caller: 'anyone',
  summary: 'Sign in with e-mail and password',
  body: z.object({ email: typed, password: typed, remember: z.boolean().optional() }),
  answer: Session,
  takes: ['LOGIN_IP', 'SIGN_IN'],
  refusals: challenging(refusalsOf(LOG_IN_WORDS)),
  invalid: (wrong) => ('email' in wrong || 'password' in wrong || 'form' in wrong ? BOTH_REQUIRED : undefined),
  async handle({ context, request, body }) {
    const { email = '', password = '', remember = false } = body
    const outcome = await logIn(context, { email, password, remember, ...programOf(context, request) })
    if (!outcome.ok) return limitWorded(LOG_IN_WORDS, outcome)
    const { token, member } = outcome.value
    return { ok: true, value: { token, user: await ownUser(context, member) } }
  },
})

export const google = defineCall({
  id: 'C04',
  method: 'POST',
  path: '/auth/google',
  caller: 'anyone',
  summary: 'Sign in or up with the ID token of Google; a new account may only finish its registration',
  body: z.object({ token: z.string().max(8192).default('') }),
  answer: z.object({ token: z.string(), user: z.union([Self, OnboardingUser]), isNew: z.literal(true).optional() }),
  takes: ['LOGIN_IP', 'SIGN_IN'],
  refusals: challenging(refusalsOf(GOOGLE_WORDS)),
  invalid: 'Missing Google credential',
  async handle({ context, request, body }) {
    const outcome = await signInWithGoogle(context, { idToken: body.token, ...programOf(context, request) })
    if (!outcome.ok) return worded(GOOGLE_WORDS, outcome)
    if ('member' in outcome.value) {
      const { token, member } = outcome.value.member
      return done({ token, user: await ownUser(context, member) })
    }
    const { signupToken: token, member: id, email } = outcome.value.onboarding
    return done({ token, user: { id, email, status: 'onboarding' as const }, isNew: true as const })
  },
})

export const forgot = defineCall({
  id: 'C02',
  method: 'POST',
  path: '/auth/forgot-password',
  caller: 'anyone',
  summary: 'Ask for a code to set a new password',
  body: z.object({ email: typed }),
  answer: Done,
  takes: ['SEND', 'SEND_IP'],
  refusals: refusalsOf(FORGOT_WORDS),
  invalid: 'Please enter a valid email address.',
  async handle({ context, body }) {
    return doneWith(await forgotPassword(context, { email: body.email ?? '' }), FORGOT_WORDS, RESET_SENT)
  },
})

export const reset = defineCall({
  id: 'C03',
  method: 'POST',
  path: '/auth/reset-password',
  caller: 'anyone',
  summary: 'Set a new password with the code of the mail',
  body: z.object({ email: typed, code, newPassword }),
  answer: Done,
  takes: ['HASH'],
  refusals: (limits) => refusalsOf(resetWords(limits)),
  async handle({ context, body }) {
    const { email, code, newPassword = '' } = body
    const outcome = await resetPassword(context, { email, code, newPassword })
    return doneWith(outcome, resetWords(context.config), RESET_DONE)
  },
})

export const sendSignupCode = defineCall({
  id: 'C76',
  method: 'POST',
  path: '/auth/send-code',
  caller: 'anyone',
  summary: 'Mail a sign-up code',
  body: z.object({ email: typed }),
  answer: Done,
  takes: ['SEND', 'SEND_IP'],
  refusals: refusalsOf(SEND_CODE_WORDS),
  invalid: 'Please enter a valid email address.',
  beside: failed,
  async handle({ context, body }) {
    return doneWith(await sendCode(context, { email: body.email ?? '' }), SEND_CODE_WORDS, CODE_SENT)
  },
})

export const verifySignupCode = defineCall({
  id: 'N1',
  method: 'POST',
  path: '/auth/verify-code',
  caller: 'anyone',
  summary: 'Turn the sign-up code into the right to register',
  body: z.object({ email: typed, code }),
  answer: z.object({ success: z.literal(true), signupToken: z.string() }),
  carries: { 'Set-Cookie': 'The right to register, for the pages of the wizard.' },
  refusals: refusalsOf(VERIFY_CODE_WORDS),
  beside: failed,
  async handle({ context, body }) {
    const { email = '', code = '' } = body
    const outcome = await verifyCode(context, { email, code })
    if (!outcome.ok) return worded(VERIFY_CODE_WORDS, outcome)
    const { signupToken } = outcome.value
    const value = { success: true as const, signupToken }
    return { ok: true, value, headers: { 'Set-Cookie': await proofCookie(signupToken) } }
  },
})

export const registerFull = defineCall({
  id: 'C05',
  method: 'POST',
  path: '/auth/register-full',
  caller: 'anyone',
  summary: 'Make the account with everything the wizard asks',
  // The action checks each answer by the rules that the wizard's pages have.
  body: z.looseObject({ signupToken }),
  described: Registration.extend({ signupToken, email: ownEmail, password: newPassword }),
  answer: Session,
  takes: ['SEND_IP', 'CRIT'],
  refusals: registrationRefusals,
  async handle({ context, request, body }) {
    const { signupToken, ...payload } = body
    const proof = signupToken ?? bearerTokenOf(request)
    const answer = await register(context, { signupToken: proof, payload, label: deviceLabel(request) })
    if (!answer.ok) return registrationWorded(context.config, answer)
    const { token, member } = answer.value
    return { ok: true, value: { token, user: await ownUser(context, member) } }
  },
})

export const logout = defineCall({
  id: 'N2',
  method: 'POST',
  path: '/auth/logout',
  caller: 'anyone',
  summary: 'End the session or the registration of the token, which may have ended already',
  answer: Success,
  async handle({ context, request }) {
    await logOut(context, { viewer: await context.bearer(), signupToken: bearerTokenOf(request) })
    return success
  },
})

export const ticket = defineCall({
  id: 'Ticket',
  method: 'POST',
  path: '/auth/ticket',
  caller: 'member',
  summary: 'A short-lived ticket for the first frame of a socket',
  once: true,
  rate: 'READ',
  answer: z.object({ ticket: z.string(), expiresInMs: z.number() }),
  async handle({ context }) {
    const viewer = await context.bearer()
    return viewer ? done(context.tickets.issue(viewer)) : loginRequired()
  },
})
