import type { ActionFunctionArgs } from '@remix-run/node'
import { MemberId } from '../../../domain/shared/ids.ts'
import { linesOf } from '../../../projections/history/reader.ts'
import { noteExport } from '../../../usecases/audit/note-export.ts'
import { openedBy } from '../../../usecases/audit/opened-by.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { notFound, requireRole } from '../../request/guards.server.ts'
import { streamedText } from '../../request/streamed-text.server.ts'
import { filterOf } from '../../ui/audit/asked.ts'

/** A page is not here: what is exported is asked for by a form, and recorded. */
export async function loader({ context }: { context: ActionFunctionArgs['context'] }) {
  await requireRole(context, 'auditor')
  throw notFound()
}

/** A member's history as NDJSON, oldest first; sealed fields are in it as far as they are open. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const auditor = await requireRole(context, 'auditor')
  const member = MemberId.safeParse(params.member).data
  if (!member || !(await context.history.account(member))) throw notFound()
  const form = await receiveFields(context, request)
  const asked = new URLSearchParams(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const opened = new Set((await openedBy(context, auditor)).keys())
  const whole = await context.history.whole([member], filterOf(asked), opened)
  await noteExport(context, auditor, member, whole.events)
  return new Response(streamedText(linesOf(whole)), {
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Content-Disposition': `attachment; filename="history-${member}.ndjson"`,
    },
  })
}
