import { Link, useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmPoints } from '../../ui/confirm-points.tsx'
import { scene } from '../../ui/dev/scenes.ts'
import { Dialog, OPENED } from '../../ui/dialog.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { Confirm } from '../../ui/overlays/confirm.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Sheet } from '../../ui/overlays/sheet.tsx'
import { Picture } from '../../ui/picture/picture.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { SampleStage, STORIES, storyLink } from './sample-stage.tsx'
import './overlays.css'

const HERE = '/dev/gallery/overlays'
const COMMENTS = [
  ['Ines', 'That light. Where is this?'],
  ['Tomasz', 'North of the lake, an hour after the rain.'],
  ['Adaeze', 'I know that path. In autumn it is all honey and rust, and nobody is there before nine.'],
]

function Comments() {
  return (
    <ul className="stack">
      {COMMENTS.map(([name, words]) => (
        <li key={name}>
          <strong>{name}</strong> {words}
        </li>
      ))}
    </ul>
  )
}

function Sheets() {
  const [isOpen, setIsOpen] = useState(false)
  const hydrated = useHydrated()
  return (
    <Card title="Sheet and side panel">
      <p className="soft">
        Over the page: a sheet on a phone, a panel at the side from 1024 px. Within an element: the rest stays in reach.
      </p>
      <p className="row">
        <LinkButton to="?panel" state={OPENED} preventScrollReset>
          Panel
        </LinkButton>
        <LinkButton to="?sheet" state={OPENED} preventScrollReset>
          Sheet
        </LinkButton>
      </p>
      <div className="overlay-frame">
        <Picture src={scene(1, 800, 600)} alt="Hills under a low sun" width={800} height={600} fit="cover" />
        <p className="overlay-frame-foot">
          {hydrated ? (
            <Button type="button" onClick={() => setIsOpen(!isOpen)}>
              More about the hills
            </Button>
          ) : (
            <LinkButton to="?panel">More about the hills</LinkButton>
          )}
        </p>
        {isOpen ? (
          <Sheet title="The hills" wide="side" onClose={() => setIsOpen(false)}>
            <Comments />
            <Link to={HERE}>A page of their own</Link>
          </Sheet>
        ) : null}
      </div>
    </Card>
  )
}

function Popovers() {
  const words = <p>Only the distance in bands is shown, and never where you are.</p>
  return (
    <Card title="Popover">
      <p className="soft">Beside its button, on the side where there is room; it works without script.</p>
      <div className="row spread">
        <Popover label="About distances" icon="info">
          {words}
        </Popover>
        <Popover label="Why am I asked?" words="Why am I asked?">
          {words}
          <Link to="/privacy">How we keep it private</Link>
        </Popover>
        <Popover label="About the end of the row" icon="info" at="end">
          {words}
        </Popover>
      </div>
    </Card>
  )
}

function Toasts() {
  const toast = useToast()
  return (
    <Card title="Toast">
      <p className="row">
        <Button type="button" onClick={() => toast({ text: 'Saved for later.' })}>
          Plain
        </Button>
        <Button
          type="button"
          onClick={() =>
            toast({
              text: 'Hidden from your feed.',
              action: { label: 'Undo', run: () => toast({ text: 'It is back.' }) },
            })
          }
        >
          With an action
        </Button>
        <Button
          type="button"
          onClick={() =>
            toast({ text: 'That did not go through.', tone: 'alarm', action: { label: 'See', to: '?sheet' } })
          }
        >
          With a link
        </Button>
      </p>
    </Card>
  )
}

function Open({ search }: { search: URLSearchParams }) {
  if (search.has('panel') || search.has('sheet'))
    return (
      <Dialog title="Comments" closeTo={HERE} look={search.has('panel') ? 'panel' : 'sheet'}>
        <Comments />
        <Button tone="primary">Comment</Button>
      </Dialog>
    )
  if (search.has('confirm'))
    return (
      <Confirm title="Delete this post?" closeTo={HERE} fields={{ post: 'sample' }} intent="delete" verb="Delete">
        <ConfirmPoints>
          <li>It is gone for good, for you and for everyone else.</li>
          <li>Its comments go with it.</li>
        </ConfirmPoints>
      </Confirm>
    )
  return <SampleStage search={search} closeTo={HERE} />
}

/** What lies over a page, in its states. */
export function OverlayGallery() {
  const [search] = useSearchParams()
  return (
    <div className="column stack stack-l">
      <h1>Overlays</h1>
      <p>
        <Link to="/dev/gallery">Gallery</Link>
      </p>
      {search.has('confirmed') ? <Banner tone="leaf" title="Confirmed. Nothing was deleted." /> : null}
      <Sheets />
      <Popovers />
      <Card title="Stage">
        <p className="soft">
          Stories, reels and pictures as large as the window. Tap the sides, hold to pause, drag down to close.
        </p>
        <ul className="row">
          {STORIES.map(({ name }, at) => (
            <li key={name}>
              <LinkButton to={storyLink(at)} preventScrollReset>
                {name}
              </LinkButton>
            </li>
          ))}
        </ul>
      </Card>
      <Toasts />
      <Card title="Confirm">
        <p className="row">
          <LinkButton to="?confirm" state={OPENED} preventScrollReset>
            Delete…
          </LinkButton>
        </p>
      </Card>
      <Open search={search} />
    </div>
  )
}
