import { z } from 'zod'
import { confirmSecondFactor } from '../../../usecases/second-factor/confirm.ts'
import { giveCode } from '../../../usecases/second-factor/give-code.ts'
import { renewRecoveryCodes } from '../../../usecases/second-factor/renew-recovery-codes.ts'
import { startSecondFactor } from '../../../usecases/second-factor/start.ts'
import { turnOffSecondFactor } from '../../../usecases/second-factor/turn-off.ts'
import { CHANGE_WORDS, CONFIRM_WORDS, GIVE_CODE_WORDS, START_WORDS } from '../../words/second-factor-words.ts'
import { limitWorded, worded } from '../../words/words.ts'
import { refusalsOf } from '../answer.ts'
import { defineCall } from '../call.server.ts'
import { ownUser } from '../own-user.server.ts'
import { programOf, Session } from '../program.server.ts'
import { Success, success, time } from '../shapes.ts'

const PATH = '/account/second-factor'
const code = z.string().max(64).default('').meta({ description: 'Six digits of the app, or a recovery code.' })
const appCode = z.string().max(64).meta({ description: 'Six digits of the app.' })
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).readonly() })

export const give = defineCall({
  id: 'C01',
  method: 'POST',
  path: '/auth/second-factor',
  caller: 'anyone',
  summary: 'End a sign-in that was refused with a challenge, by a code of the second factor',
  body: z.object({ challenge: z.string().max(128), code }),
  answer: Session,
  takes: ['LOGIN_IP', 'SIGN_IN'],
  refusals: refusalsOf(GIVE_CODE_WORDS),
  async handle({ context, request, body }) {
    const outcome = await giveCode(context, { ...body, ...programOf(context, request) })
    if (!outcome.ok) return limitWorded(GIVE_CODE_WORDS, outcome)
    const { token, member } = outcome.value
    return { ok: true, value: { token, user: await ownUser(context, member) } }
  },
})

export const look = defineCall({
  id: 'N15',
  method: 'GET',
  path: PATH,
  caller: 'account',
  rate: 'READ',
  summary: 'Whether a second factor is on, and how many recovery codes are left',
  answer: z.object({ on: z.boolean(), since: time.optional(), recoveryCodesLeft: z.number().optional() }),
  async handle({ acting }) {
    const found = await acting.secondFactor.find(acting.who.member)
    const value = found && { since: found.since.toISOString(), recoveryCodesLeft: found.recoveryCodes }
    return { ok: true, value: { on: found !== null, ...value } }
  },
})

export const start = defineCall({
  id: 'N15',
  method: 'POST',
  path: PATH,
  caller: 'account',
  summary: 'A secret for an authenticator app, which is to be confirmed within an hour',
  once: true,
  answer: z.object({ secret: z.string(), uri: z.string() }),
  takes: ['WRITE'],
  refusals: refusalsOf(START_WORDS),
  async handle({ acting }) {
    const started = await startSecondFactor(acting)
    return started.ok ? started : worded(START_WORDS, started)
  },
})

export const confirm = defineCall({
  id: 'N15',
  method: 'POST',
  path: `${PATH}/confirm`,
  caller: 'account',
  summary: 'Turn the second factor on by a code of the app; ends the other sessions',
  once: true,
  body: z.object({ code: appCode }),
  answer: RecoveryCodes,
  takes: ['WRITE'],
  refusals: refusalsOf(CONFIRM_WORDS),
  async handle({ acting, body }) {
    const confirmed = await confirmSecondFactor(acting, body)
    return confirmed.ok ? confirmed : worded(CONFIRM_WORDS, confirmed)
  },
})

export const renew = defineCall({
  id: 'N15',
  method: 'POST',
  path: `${PATH}/recovery-codes`,
  caller: 'account',
  summary: 'New recovery codes in place of those that are left',
  once: true,
  body: z.object({ code }),
  answer: RecoveryCodes,
  takes: ['CRIT'],
  refusals: refusalsOf(CHANGE_WORDS),
  async handle({ acting, body }) {
    const renewed = await renewRecoveryCodes(acting, body)
    return renewed.ok ? renewed : limitWorded(CHANGE_WORDS, renewed)
  },
})

export const turnOff = defineCall({
  id: 'N15',
  method: 'DELETE',
  path: PATH,
  caller: 'account',
  summary: 'Turn the second factor off',
  body: z.object({ code }),
  answer: Success,
  takes: ['CRIT'],
  refusals: refusalsOf(CHANGE_WORDS),
  async handle({ acting, body }) {
    const off = await turnOffSecondFactor(acting, body)
    return off.ok ? success : limitWorded(CHANGE_WORDS, off)
  },
})
