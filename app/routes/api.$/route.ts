import type { LoaderFunctionArgs } from '@remix-run/node'
import { answerCall } from '../../api/router.server.ts'

/** Every call of the table, by any method; one that does not exist answers as data too (api-contract §6.0). */
export function loader({ request, context }: LoaderFunctionArgs) {
  return answerCall(request, context)
}

export const action = loader
