import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { listBlocks } from '../../../projections/relations/queries.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { LinkButton } from '../../ui/button.tsx'
import { saveSection } from '../../ui/profile/sections.server.ts'
import { UnavailableBanner } from '../../ui/unavailable-banner.tsx'
import { BlockedList } from './blocked-list.tsx'
import { AudienceSection, BlurSection, ModeSection } from './privacy-sections.tsx'

export const meta = () => pageTitle('Who sees you')

const HERE = '/profile/privacy'
const FORMS = ['mode', 'blur', 'audience']

export async function loader({ context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const [self, blocks] = await Promise.all([getSelf(context.read, me, context.now()), listBlocks(context.read, me)])
  return {
    self,
    blocks: blocks.map((block) => ({ ...block, commandId: crypto.randomUUID() })),
    commandIds: Object.fromEntries(FORMS.map((form) => [form, crypto.randomUUID()])),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const acting = await requireMember(context)
  const _me = acting.who.member
  const refused = await saveSection(acting, { form: await request.formData(), page: HERE })
  return data(refused, refused.status)
}

export default function Privacy() {
  const { self, blocks, commandIds } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>() ?? null
  const [params] = useSearchParams()
  const props = { self, sections: { saved: params.get('saved'), refused, commandIds } }
  return (
    <div className="column stack stack-l">
      <header className="row spread">
        <h1>Who sees you</h1>
        <LinkButton to="/profile" icon="arrow-left">
          Back to profile
        </LinkButton>
      </header>
      <UnavailableBanner said={refused} />
      <ModeSection {...props} />
      <BlurSection {...props} />
      <AudienceSection key={self.visibilityMode} {...props} />
      <BlockedList blocks={blocks} />
    </div>
  )
}
