import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { openPage } from '../lib/request/guards.server.ts'

/** Any other path leads to the landing page (spec 2 §2). */
export async function loader({ context }: LoaderFunctionArgs) {
  openPage(context)
  throw redirect('/')
}

export async function action({ context }: ActionFunctionArgs) {
  openPage(context)
  throw redirect('/')
}

export default function Elsewhere() {
  return null
}
