import { LinkButton } from '../../ui/button.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { Pane, Panes } from '../../ui/panes/panes.tsx'
import { SettingsFrame } from '../../ui/panes/settings-frame.tsx'
import { Stage } from '../../ui/panes/stage.tsx'

const GALLERY = '/dev/gallery'
const FRAMES = { three: 'Three panes', two: 'Two panes', settings: 'Settings', stage: 'Stage' } as const
export type FrameName = keyof typeof FRAMES

/** The frame that an address names. */
export function frameNamed(name: string | null): FrameName | undefined {
  return Object.keys(FRAMES).find((one): one is FrameName => one === name)
}

/** The way to each of the frames of a page, which fill the window. */
export function Frames() {
  return (
    <Card title="Frames">
      <p className="row">
        {Object.entries(FRAMES).map(([name, label]) => (
          <LinkButton key={name} to={`?frame=${name}`}>
            {label}
          </LinkButton>
        ))}
      </p>
    </Card>
  )
}

function Middle({ name, className }: { name: FrameName; className: string }) {
  return (
    <div className={className}>
      <header className="page-bar">
        <h1>{FRAMES[name]}</h1>
        <LinkButton to={GALLERY} icon="arrow-left" className="page-back">
          Back to the gallery
        </LinkButton>
      </header>
      <EmptyState icon="image" title="What the page is about">
        <p>A narrower window shows this alone.</p>
      </EmptyState>
    </div>
  )
}

function PanesSample({ name }: { name: 'two' | 'three' }) {
  return (
    <Panes className={name === 'two' ? 'panes-two' : ''}>
      <Pane place="side" label="A list">
        <h2 className="pane-title">Side</h2>
        <p className="soft">Matches, or who comes next.</p>
      </Pane>
      <Middle name={name} className="column pane-main" />
      {name === 'three' ? (
        <Pane place="detail" label="What belongs to it">
          <h2 className="pane-title">Detail</h2>
          <p className="soft">About the person in the middle.</p>
        </Pane>
      ) : null}
    </Panes>
  )
}

/** One frame, as a page that has it. */
export function FrameSample({ name }: { name: FrameName }) {
  if (name === 'two' || name === 'three') return <PanesSample name={name} />
  if (name === 'stage')
    return (
      <Stage label="A story">
        <div className="sample-screen">
          <h1>{FRAMES.stage}</h1>
        </div>
      </Stage>
    )
  return (
    <SettingsFrame
      open
      entries={[
        { to: '/profile/edit', label: 'Your info', icon: 'user-round' },
        { to: GALLERY, label: 'Privacy', icon: 'shield' },
        { to: '/settings/export', label: 'Your data', icon: 'copy' },
        { to: '/settings/delete', label: 'Delete account', icon: 'trash-2', tone: 'alarm' },
      ]}
    >
      <Middle name={name} className="stack" />
    </SettingsFrame>
  )
}
