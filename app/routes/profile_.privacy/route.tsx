import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { cursorFrom } from '../../../projections/paging.ts'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { listBlocks } from '../../../projections/relations/queries.ts'
import { receiveFields } from '../../forms/receive-form.server.ts'
import { sendForm } from '../../forms/send-form.ts'
import { redirectIfPassed } from '../../request/first-page.server.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { useSentReply } from '../../shell/use-sent-reply.ts'
import { LinkButton } from '../../ui/button.tsx'
import { UnavailableBanner } from '../../ui/feedback/unavailable-banner.tsx'
import { MorePages } from '../../ui/more-pages.tsx'
import { saveSection } from '../../ui/profile/save-section.server.ts'
import { BlockedList } from './blocked-list.tsx'
import { AudienceSection, BlurSection, ModeSection } from './privacy-sections.tsx'
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

export default function Privacy() {
  const { self, blocks, next, later, commandIds } = useLoaderData<typeof loader>()
  const reply = useSentReply<typeof action>()
  const [params] = useSearchParams()
  const props = { self, page: { reply, saved: params.get('saved'), commandIds } }
  return (
    <div className="column stack stack-l">
      <header className="row spread">
        <h1>Who sees you</h1>
        <LinkButton to="/profile" icon="arrow-left">
          Back to profile
        </LinkButton>
      </header>
      <UnavailableBanner reply={reply} />
      <ModeSection {...props} />
      <BlurSection {...props} />
      <AudienceSection key={self.visibilityMode} {...props} />
      <BlockedList blocks={blocks}>
        <MorePages list="blocked-people" next={next} later={later} anchor="blocked" />
      </BlockedList>
    </div>
  )
}
