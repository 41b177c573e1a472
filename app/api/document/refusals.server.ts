import { FAILURE_WORDS } from '../../words/failure-words.server.ts'
import { AWAY, AWAY_WORDS, STARTING_WORDS } from '../../words/unavailable.ts'
import { PIPELINE_WORDS } from '../../words/words.ts'
import { type Refusal, refusal, refusalsOf } from '../answer.ts'
import type { Call, Limits } from '../call.server.ts'
import { TURNED_AWAY } from '../caller.server.ts'
import { invalid, notFound, unsupported } from '../refusal.server.ts'
import { KEY_REFUSALS, takesKey } from '../repeat.server.ts'
import { type Refused, refusedAnswer } from './refused-answer.server.ts'

const failure = (status: keyof typeof FAILURE_WORDS) => refusal(status, FAILURE_WORDS[status])
const UNAVAILABLE = [AWAY_WORDS, STARTING_WORDS].map((words) => refusal(503, words, AWAY))
const AT_THE_PORT = [failure(400), failure(403), failure(500), ...UNAVAILABLE]
const OF_A_BODY = [failure(408), failure(413)]

/** What the port answers before any call, without what a call's refusals hold beside the error. */
const portRefusals = (method: Call['method']): readonly Refusal[] =>
  method === 'GET' ? AT_THE_PORT : [...AT_THE_PORT, ...OF_A_BODY]

/** What the router answers for every call of the kind. */
function routerRefusals(call: Call): readonly Refusal[] {
  return [
    invalid(undefined),
    ...(typeof call.invalid === 'string' ? [invalid(undefined, call.invalid)] : []),
    ...TURNED_AWAY[call.caller],
    ...(call.params ? [notFound(), notFound(call.unknown)] : []),
    ...(takesKey(call) ? KEY_REFUSALS : []),
    ...(call.method === 'GET' ? [] : [unsupported()]),
    ...refusalsOf(PIPELINE_WORDS, 'slow-down'),
  ]
}

const declaredBy = ({ refusals = [] }: Call, limits: Limits) =>
  typeof refusals === 'function' ? refusals(limits) : refusals

/** Every status that a call may refuse with: no limit changes any. */
export const refusedStatuses = (call: Call): number[] =>
  statusesIn([...portRefusals(call.method), ...routerRefusals(call), ...declaredBy(call, { passwordMin: 0 })])

const statusesIn = (refusals: readonly Refusal[]) =>
  [...new Set(refusals.map(({ status }) => status))].sort((a, b) => a - b)

/** The answers to what is refused, by status. */
export function refusedResponses(call: Call, limits: Limits) {
  const own = [...routerRefusals(call), ...declaredBy(call, limits)]
  return byStatus({ port: portRefusals(call.method), own, beside: call.beside, writes: call.method !== 'GET' })
}

/** What is answered to a method that a path has not, and on a path that no call has. */
export function refusedElsewhere() {
  const [port, limit] = [portRefusals('POST'), refusalsOf(PIPELINE_WORDS, 'slow-down')]
  return {
    otherMethods: byStatus({ port, own: [...limit, failure(405)], writes: false }),
    otherPaths: byStatus({ port, own: [...limit, notFound()], writes: false }),
  }
}

function byStatus({ port, own, ...more }: Refused) {
  return Object.fromEntries(
    statusesIn([...port, ...own]).map((status) => {
      const of = (from: readonly Refusal[]) => from.filter((one) => one.status === status)
      return [status, refusedAnswer(status, { port: of(port), own: of(own), ...more })]
    }),
  )
}
