import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { openPage } from '../request/guards.server.ts'

const unknownCall = () => Response.json({ error: 'Not found' }, { status: 404 })

/** A call that does not exist answers as data, like every other call (api-contract §6.0). */
export async function loader({ context }: LoaderFunctionArgs) {
  openPage(context)
  return unknownCall()
}

export async function action({ context }: ActionFunctionArgs) {
  openPage(context)
  return unknownCall()
}
