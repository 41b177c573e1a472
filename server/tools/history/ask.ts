import { momentOf } from '../../../app/ui/audit/asked.ts'
import { RevealReason } from '../../../domain/audit/commands.ts'
import type { View } from '../../../domain/audit/events.ts'
import type { MemberId } from '../../../domain/shared/ids.ts'
import type { HistoryFilter } from '../../../projections/history/queries.ts'
import { hasState, type Moment } from '../../../projections/history/state.ts'
import { findAccounts } from '../../../usecases/audit/find-accounts.ts'
import { noteExport } from '../../../usecases/audit/note-export.ts'
import { noteView } from '../../../usecases/audit/note-view.ts'
import { openedBy } from '../../../usecases/audit/opened-by.ts'
import { reveal } from '../../../usecases/audit/reveal.ts'
import type { Ports } from '../../../usecases/ports.ts'
import { UsageError } from '../cli/support/command.ts'
import { describeDifference, describeEvent, describeState } from './describe.ts'

/** What a tool was asked, as words. */
export type HistoryRequest = {
  /** A member's id or e-mail address, or a stream. */
  readonly who: string
  readonly at?: string | undefined
  readonly revision?: string | undefined
  /** Two moments or revisions. */
  readonly diff?: readonly [string, string] | undefined
  readonly format: 'text' | 'ndjson'
  /** Why sealed fields are to be opened; recorded. */
  readonly reveal?: string | undefined
}
type Asking = Ports
const AUDITOR = 'admin:cli'

/** A number is a revision, anything else a moment of UTC. */
function momentIn(text: string, what: '--at' | '--diff'): Moment {
  const moment = /^\d+$/.test(text) ? momentOf(text, '') : momentOf('', text)
  if (moment !== 'unclear' && moment !== null) return moment
  const wanted = what === '--diff' ? 'revisions or moments' : 'a moment of UTC'
  throw new UsageError(`${what} wants ${wanted} such as 2026-11-21T09:30Z.`)
}

/** Throws `UsageError` for what cannot be asked; needs nothing that runs. */
export function viewOf({ at, revision, diff }: HistoryRequest): View {
  if ([at, revision, diff].filter((one) => one !== undefined).length > 1)
    throw new UsageError('--at, --revision and --diff exclude each other.')
  if (at !== undefined && /^\d+$/.test(at)) throw new UsageError('--at wants a moment; --revision takes a number.')
  for (const one of diff ?? []) momentIn(one, '--diff')
  if (at !== undefined) momentIn(at, '--at')
  if (revision !== undefined && !/^\d+$/.test(revision)) throw new UsageError('--revision wants a number.')
  return diff ? 'difference' : at !== undefined || revision !== undefined ? 'state' : 'timeline'
}

/** Answers in lines, made as they are taken. Each account whose history it is gets a fact of the look first. */
export async function* answerHistory(context: Asking, request: HistoryRequest): AsyncGenerator<string> {
  const view = viewOf(request)
  const { members, stream } = await findAccounts(context, AUDITOR, request.who)
  if (members.length === 0) throw new Error(`Nobody is known by ${request.who}.`)
  for (const member of members) await noteView(context, AUDITOR, member, view)
  if (request.reveal !== undefined) await open(context, members, request.reveal)
  const opened = new Set(request.reveal === undefined ? [] : (await openedBy(context, AUDITOR)).keys())
  if (view === 'timeline')
    return yield* timeline(context, request, { members, filter: stream ? { stream } : {}, opened })
  const streams = stream ? [stream] : await streamsOf(context, members[0] as MemberId, request)
  yield* view === 'difference'
    ? differences(context, request, streams, opened)
    : states(context, request, streams, opened)
}

async function open(context: Asking, members: readonly MemberId[], why: string): Promise<void> {
  const reason = RevealReason.safeParse(why)
  if (!reason.success) throw new UsageError('--reveal wants a reason.')
  for (const member of members) {
    const opened = await reveal(context, AUDITOR, { member, reason: reason.data, commandId: crypto.randomUUID() })
    if (!opened.ok) throw new Error(`What is sealed could not be opened: ${opened.reason}`)
  }
}

/** A revision counts within one stream. */
async function streamsOf({ history }: Asking, member: MemberId, { revision, diff }: HistoryRequest): Promise<string[]> {
  if (revision !== undefined || diff?.some((one) => /^\d+$/.test(one)))
    throw new UsageError('A revision is of one stream: name it instead of the member.')
  return (await history.streams(member)).map(({ stream }) => stream).filter(hasState)
}

type Scope = { members: readonly MemberId[]; filter: HistoryFilter; opened: ReadonlySet<string> }

async function* timeline(context: Asking, { format }: HistoryRequest, { members, filter, opened }: Scope) {
  const { events, pages } = await context.history.whole(members, filter, opened)
  if (format === 'ndjson') for (const member of members) await noteExport(context, AUDITOR, member, events)
  for await (const page of pages)
    yield* format === 'ndjson' ? page.map((event) => JSON.stringify(event)) : page.flatMap(describeEvent)
}

async function* states(
  { history }: Asking,
  { at, revision, format }: HistoryRequest,
  streams: readonly string[],
  opened: ReadonlySet<string>,
): AsyncGenerator<string> {
  const moment = momentIn(revision ?? at ?? '', '--at')
  let isShown = false
  for (const stream of streams) {
    const state = await history.state(stream, moment, opened)
    if (!state || (state.revision === null && streams.length > 1)) continue
    yield* format === 'ndjson' ? [JSON.stringify(state)] : describeState(state)
    isShown = true
  }
  if (!isShown && format === 'text') yield 'Nothing had happened by then.'
}

async function* differences(
  { history }: Asking,
  { diff, format }: HistoryRequest,
  streams: readonly string[],
  opened: ReadonlySet<string>,
): AsyncGenerator<string> {
  const [from, to] = (diff ?? []).map((one) => momentIn(one, '--diff')) as [Moment, Moment]
  let isShown = false
  for (const stream of streams) {
    const difference = await history.difference(stream, { from, to }, opened)
    if (!difference || difference.changes.length === 0) continue
    yield* format === 'ndjson' ? [JSON.stringify(difference)] : describeDifference(difference)
    isShown = true
  }
  if (!isShown && format === 'text') yield 'Nothing changed.'
}
