import { Form } from '@remix-run/react'
import type { ProfileView } from '../../../projections/view/present.ts'
import type { Access } from '../../../projections/view/visibility.ts'
import { Owner } from '../../shell/owner.tsx'
import { Button, LinkButton } from '../button.tsx'
import { EmptyState } from '../card.tsx'
import { useRoomPath } from '../room-path.ts'
import { NAMELESS } from './block-words.ts'
import { BuzzForm, Refused } from './buzz-form.tsx'
import type { loadPerson } from './person.server.ts'
import { PersonMenu } from './person-menu.tsx'
import { LockedView, PersonView } from './person-view.tsx'
import { useGoBack } from './use-go-back.ts'

type Page = Awaited<ReturnType<typeof loadPerson>>
type Shown = Extract<Page['found'], { access: 'matched' | 'preview' | 'locked' }>
type PersonProps = { page: Page; found: Shown; error: string | null }

/** Another member at the level that access allows (spec 2 §2, ruling R1). */
export function PersonPage({ page, error }: { page: Page; error: string | null }) {
  const { found } = page
  return (
    <>
      <Back />
      {found.access === 'blocked-by-me' ? (
        <Blocked id={found.user.id} firstName={found.user.firstName} commandId={page.commandIds.other} />
      ) : found.access === 'locked' ? (
        <Locked page={page} found={found} error={error} />
      ) : (
        <Person page={page} found={found} error={error} />
      )}
    </>
  )
}

/** The bar of a phone; elsewhere the browser's own is at hand. */
function Back() {
  const goBack = useGoBack()
  return (
    <div className="page-bar person-back to-tablet">
      <LinkButton to="/discover" icon="arrow-left" className="page-back" onClick={goBack}>
        Back
      </LinkButton>
    </div>
  )
}

function Blocked({ id, firstName, commandId }: { id: string; firstName: string; commandId: string }) {
  return (
    <div className="column">
      <h1 className="visually-hidden">{firstName || 'Profile'}</h1>
      <EmptyState
        icon="ban"
        title={`You blocked ${firstName || NAMELESS}`}
        action={
          <Form method="post" action={`/block/${id}`}>
            <Owner />
            <input type="hidden" name="commandId" value={commandId} />
            <input type="hidden" name="back" value={`/viewProfile/${id}`} />
            <Button name="intent" value="unblock" tone="primary">
              Unblock
            </Button>
          </Form>
        }
      >
        <p>Neither of you sees the other. Unblocking does not bring back a match.</p>
      </EmptyState>
    </div>
  )
}

function buzzProps({ page, found }: PersonProps) {
  const { likedByMe, likedMe, user } = found
  return { to: user.id, firstName: user.firstName, likedByMe, likedMe, commandIds: page.commandIds }
}

function Locked({ page, found, error }: PersonProps) {
  const { user } = found
  return (
    <LockedView user={user} menu={<PersonMenu id={user.id} firstName={user.firstName} matched={false} />}>
      {error ? <Refused error={error} /> : null}
      {found.unmatchedLately ? null : <BuzzForm {...buzzProps({ page, found, error })} label="Buzz to Unlock" />}
    </LockedView>
  )
}

function Person({ page, found, error }: PersonProps) {
  const { user, matched } = found
  const room = useRoomPath(user.id)
  return (
    <PersonView
      user={user}
      matched={matched}
      mine={page.mine}
      menu={<PersonMenu id={user.id} firstName={user.firstName} matched={matched} />}
    >
      {error ? <Refused error={error} /> : null}
      {matched ? (
        <LinkButton to={room} tone="primary" size="l" icon="message-circle">
          Chat
        </LinkButton>
      ) : found.unmatchedLately ? null : (
        <BuzzForm {...buzzProps({ page, found, error })} label={found.likedMe ? 'Buzz back' : 'Buzz'} />
      )}
    </PersonView>
  )
}

/** The own profile, at the level that others have: without what they could do. */
export function SeenPerson({ access, user }: { access: Access | null; user: ProfileView }) {
  const View = access === 'locked' ? LockedView : PersonView
  return <View user={user} matched={access === 'matched'} heading="h2" />
}
