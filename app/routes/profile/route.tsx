import type { LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData, useLocation, useSearchParams } from '@remix-run/react'
import { getSelf } from '../../../projections/profiles/queries.ts'
import { requireMember } from '../../request/guards.server.ts'
import { pageTitle } from '../../shell/page-title.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { OwnHead, OwnSettings } from './own-panel.tsx'
import { unmatchedName } from './unmatched.server.ts'
import './own.css'

export const meta = () => pageTitle('Your profile')

/** The frame of the own profile: who one is, and the tabs (spec 2 §2). */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const acting = await requireMember(context)
  const me = acting.who.member
  const [self, unmatched] = await Promise.all([
    getSelf(context.read, me, context.now()),
    unmatchedName(acting, request),
  ])
  return { self, unmatched }
}

export default function Profile() {
  const { self, unmatched } = useLoaderData<typeof loader>()
  const isOtherAccount = useSearchParams()[0].has('signed-in')
  const gallery = useLocation().pathname.toLowerCase().startsWith('/profile/gallery')
  const tabs = [
    { to: '/profile', label: 'Info', current: !gallery },
    { to: '/profile/gallery', label: 'Gallery', current: gallery },
  ]
  return (
    <div className="column column-wide own">
      <p className="page-title to-tablet">Profile</p>
      {unmatched === null ? null : (
        <div className="own-note">
          <Banner tone="leaf" live>
            <p>You and {unmatched} are no longer matched.</p>
          </Banner>
        </div>
      )}
      {isOtherAccount ? (
        <div className="own-note">
          <Banner live>
            <p>You are signed in as {self.firstName}. Sign out first to use another account.</p>
          </Banner>
        </div>
      ) : null}
      <OwnHead self={self} />
      <div className="stack stack-l own-tab">
        <Tabs label="Your profile" tabs={tabs} />
        <Outlet />
      </div>
      <OwnSettings self={self} />
    </div>
  )
}
