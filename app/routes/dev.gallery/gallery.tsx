import { Link, useSearchParams } from '@remix-run/react'
import { Badge, Chip } from '../../ui/badge.tsx'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { Menu, MenuButton, MenuLink } from '../../ui/menu.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { ICON_NAMES } from '../../ui/picture/icon-names.ts'
import { Picture } from '../../ui/picture/picture.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Steps } from '../../ui/steps.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FormSamples } from './forms.tsx'
import { FrameSample, Frames, frameNamed } from './frames.tsx'
import { Places } from './places.tsx'

function Actions() {
  const toast = useToast()
  return (
    <Card title="Actions">
      <p className="row">
        <Button tone="primary">Primary</Button>
        <Button>Secondary</Button>
        <Button tone="quiet">Quiet</Button>
        <Button tone="petal" icon="heart">
          Match Back
        </Button>
        <Button tone="danger">Delete</Button>
        <LinkButton to="?dialog" icon="info">
          Open dialog
        </LinkButton>
        <Button type="button" onClick={() => toast({ text: 'Saved.' })}>
          Toast
        </Button>
      </p>
      <p className="row">
        <IconButton icon="x" label="Skip" tone="raised" size="l" />
        <IconButton icon="undo-2" label="Undo" tone="raised" />
        <IconButton icon="buzz" label="Buzz" tone="primary" size="l" />
        <IconButton icon="search" label="Search" />
      </p>
      <Menu label="More">
        <MenuLink to="/" icon="user-round">
          View profile
        </MenuLink>
        <MenuButton icon="ban" tone="alarm">
          Block
        </MenuButton>
      </Menu>
    </Card>
  )
}

function Feedback() {
  return (
    <Card title="Feedback">
      <Banner>Your draft is kept on this device.</Banner>
      <Banner tone="leaf" title="Saved" />
      <Banner tone="alarm" title="That did not go through">
        <p>The message stays here. Try again.</p>
      </Banner>
      <Banner tone="honey" title="Finish your profile" action={<LinkButton to="/">Continue</LinkButton>} />
      <Steps names={['Basics', 'Preferences', 'Interests', 'Photos', 'Phone and voice', 'Review']} current={2} />
      <Progress label="Uploading" value={40} />
      <Spinner />
    </Card>
  )
}

function People() {
  return (
    <Card title="People">
      <div className="row">
        <Avatar name="Björn" online />
        <Avatar name="Łukasz" size="xl" online labelled />
        <Badge count={7} label="unread" />
        <Badge count={120} label="unread" />
        <RelativeTime at="2026-01-01T12:00:00Z" />
      </div>
      <div className="row">
        <Chip tone="shared">Climbing</Chip>
        <Chip>Poetry</Chip>
      </div>
      <Picture src={null} alt="No photo yet" width={400} height={300} />
      <p className="row">
        {ICON_NAMES.map((name) => (
          <Icon key={name} name={name} />
        ))}
      </p>
    </Card>
  )
}

/** Pages of their own, so that each is light. */
const SECTIONS = [
  { to: '/dev/gallery/overlays', label: 'Overlays' },
  { to: '/dev/gallery/media', label: 'Media' },
  { to: '/dev/gallery/compose', label: 'Compose' },
  { to: '/dev/gallery/lists', label: 'Lists' },
  { to: '/dev/gallery/social', label: 'Social and gates' },
  { to: '/dev/gallery/tokens', label: 'Tokens' },
]

/** The shared components in their states, for looking at while designing. */
export function Gallery() {
  const [search] = useSearchParams()
  const frame = frameNamed(search.get('frame'))
  if (frame) return <FrameSample name={frame} />
  return (
    <div className="column stack stack-l">
      <h1>Gallery</h1>
      <nav className="row" aria-label="Galleries">
        {SECTIONS.map(({ to, label }) => (
          <Link key={to} to={to} className="thumb">
            {label}
          </Link>
        ))}
      </nav>
      <Tabs
        label="Sections"
        tabs={[
          { to: '?', label: 'Everything', current: true },
          { to: '?tab=2', label: 'Another', current: false, count: 4 },
        ]}
      />
      <Frames />
      <Places />
      <Actions />
      <Feedback />
      <People />
      <EmptyState
        icon="message-circle"
        title="No conversations yet"
        action={<LinkButton to="/discover">Discover</LinkButton>}
      >
        When somebody buzzes you back, it starts here.
      </EmptyState>
      <FormSamples />
      {search.has('dialog') ? (
        <Dialog title="Forgot password" closeTo="/dev/gallery">
          <p>We send a code to your e-mail address.</p>
          <Button tone="primary">Send the code</Button>
        </Dialog>
      ) : null}
    </div>
  )
}
