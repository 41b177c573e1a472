import type { LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { AUDIENCES, type Audience, getSelfAs } from '../../../projections/profiles/queries.ts'
import { notFound, requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { SeenPerson } from '../../ui/person/person-page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import './seen.css'

export const meta = () => pageTitle('As others see you')
export { ErrorPage as ErrorBoundary } from '../../ui/feedback/error-page.tsx'

/** The own profile as others get it (ruling R1). */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const audience = AUDIENCES.find((one) => one === params.audience)
  if (!audience) throw notFound()
  return { audience, ...(await getSelfAs(context.read, acting.who.member, { audience, now: context.now() })) }
}

const WORDS: Record<Audience, { label: string; help: string }> = {
  stranger: { label: 'Strangers', help: 'Whoever opens your profile and is no match of yours gets this.' },
  match: { label: 'Matches', help: 'Your matches get this, and whether you are online.' },
  everyone: { label: 'Everyone', help: 'Your card in Discover, which everyone gets first, shows no more than this.' },
}

export default function Seen() {
  const { audience, access, user } = useLoaderData<typeof loader>()
  const tabs = Object.entries(WORDS).map(([name, { label }]) => ({
    to: `/profile/seen/${name}`,
    label,
    current: name === audience,
  }))
  return (
    <div className="seen">
      <div className="stack seen-head">
        <header className="page-bar">
          <h1>As others see you</h1>
          <LinkButton to="/profile" icon="arrow-left" className="page-back to-tablet">
            Back to profile
          </LinkButton>
          <LinkButton to="/profile/privacy" icon="eye">
            Change who sees you
          </LinkButton>
        </header>
        <Tabs label="Seen by" tabs={tabs} />
        <p className="soft">{WORDS[audience].help}</p>
      </div>
      {user ? (
        <SeenPerson key={audience} access={access} user={user} />
      ) : (
        <EmptyState icon="eye-off" title="Nobody new can find you">
          <p>Your profile is hidden. Only your matches see it.</p>
        </EmptyState>
      )}
    </div>
  )
}
