import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { elsewhere, openPage } from '../../request/guards.server.ts'

/** Any other path leads to the landing page (spec 2 §2). */
export async function loader({ context }: LoaderFunctionArgs) {
  openPage(context)
  throw elsewhere()
}

export async function action({ context }: ActionFunctionArgs) {
  openPage(context)
  throw elsewhere()
}

export default function Elsewhere() {
  return null
}
