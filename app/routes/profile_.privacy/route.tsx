import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { cursorFrom } from '../../../projections/paging.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { listBlocks } from '../../../projections/relations/queries.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { redirectIfPassed } from '../../request/first-page.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { readsForSheet } from '../../shell/shell.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { LinkButton } from '../../ui/button.tsx'
import { UnavailableBanner } from '../../ui/feedback/unavailable-banner.tsx'
import { type ListRow, ListRows } from '../../ui/lists/list-rows.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { audience } from '../../ui/profile/audience.ts'
import { saveSection } from '../../ui/profile/save-section.server.ts'
import { Done, SEEN, useOpenSection } from '../../ui/profile/section-form.tsx'
import { MODES } from '../../words/profile-labels.ts'
import { BlockedList } from './blocked-list.tsx'
import { AudienceSection, BlurSection, blurWords, ModeSection, SAVED } from './privacy-sections.tsx'
import { SECTIONS } from './sections.server.ts'

export const meta = () => pageTitle('Who sees you')

export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const after = cursorFrom(new URL(request.url).searchParams.get('after'))
  const [self, { items: blocks, next }] = await Promise.all([
    getSelf(context.read, me, context.now()),
    listBlocks(context.read, me, { after }),
  ])
  redirectIfPassed(request, blocks.length === 0, '#blocked')
  return {
    self,
    blocks: blocks.map((block) => ({ ...block, commandId: crypto.randomUUID() })),
    next,
    later: after !== undefined,
    commandIds: Object.fromEntries(Object.keys(SECTIONS).map((section) => [section, crypto.randomUUID()])),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const form = await receiveFields(context, request)
  const reply = await saveSection(acting, { form, sections: SECTIONS, page: '/profile/privacy' })
  return data(reply, reply.status)
}

export const clientAction = sendForm()
export const shouldRevalidate = readsForSheet

const SHEETS = { mode: ModeSection, blur: BlurSection, audience: AudienceSection } as const
const isSection = (name: string | null | undefined): name is keyof typeof SHEETS => Object.hasOwn(SHEETS, String(name))

/** This page at the same blocked people, with a section open or none. */
function useAddress(): (section?: string) => string {
  const [params] = useSearchParams()
  return (section) => {
    const asked = new URLSearchParams(params)
    for (const name of ['section', 'saved']) asked.delete(name)
    if (section) asked.set('section', section)
    return `/profile/privacy${asked.size > 0 ? `?${asked}` : ''}`
  }
}

function rowsOf(self: SelfView): readonly Omit<ListRow, 'to'>[] {
  const labelOf = (all: readonly { value: string; label: string }[], chosen: string) =>
    all.find(({ value }) => value === chosen)?.label ?? null
  const seen = self.visibilityMode === 'hidden' ? 'No effect while hidden' : audience(self)
  return [
    { id: 'mode', icon: 'eye', label: 'Profile visibility', value: labelOf(MODES, self.visibilityMode) },
    { id: 'blur', icon: 'image', label: 'Photo blur', value: blurWords(self) },
    { id: 'audience', icon: 'users', label: 'Who sees what', value: seen },
  ]
}

export default function Privacy() {
  const { self, blocks, next, later, commandIds } = useLoaderData<typeof loader>()
  const reply = useSentReply<typeof action>()
  const [params] = useSearchParams()
  const address = useAddress()
  const open = useOpenSection(reply?.form)
  const saved = params.get('saved')
  const page = { reply, commandIds, sheetOver: address() }
  const rows = rowsOf(self).map((row) => ({
    ...row,
    to: address(row.id),
    opens: true,
    note: row.id === saved ? <Done shown>{SAVED}</Done> : null,
  }))
  const Sheet = isSection(open) ? SHEETS[open] : null
  return (
    <div className="column stack stack-l">
      <header className="page-bar">
        <h1>Who sees you</h1>
        <LinkButton to="/profile" icon="arrow-left" className="page-back">
          Back to profile
        </LinkButton>
      </header>
      <UnavailableBanner reply={reply} />
      <ListRows title="What others get" rows={[...rows, SEEN]} />
      <BlockedList blocks={blocks}>
        <MorePages list="blocked-people" next={next} later={later} anchor="blocked" />
      </BlockedList>
      {Sheet ? <Sheet key={open} self={self} page={page} /> : null}
    </div>
  )
}
