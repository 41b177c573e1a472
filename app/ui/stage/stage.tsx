import { Link, useNavigate } from '@remix-run/react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { IconButton } from '../button.tsx'
import { FullScreen, QUIETLY } from '../overlays/full-screen.tsx'
import { Icon } from '../picture/icon.tsx'
import { useHydrated } from '../use-hydrated.ts'
import { useHold } from './use-hold.ts'
import { useRun } from './use-run.ts'
import './stage.css'

export type StageProps = {
  /** What it shows, for screen readers: "Story of Ann". */
  label: string
  at: number
  count: number
  /** The address of each, from 0. */
  toOf: (at: number) => string
  /** The page below. */
  closeTo: string
  /** Where it leads behind the last one, such as the stories of somebody else; else to the page below. */
  after?: string
  /** How long each is shown before the next one; a video as long as it plays. Without it the viewer moves on. */
  seconds?: number
  /** What has the focus once it is closed. */
  openerOf: () => HTMLElement | null
  /** Over its upper end: whose it is, and since when. */
  head?: ReactNode
  /** Below it: words, a reply, reactions. */
  foot?: ReactNode
  /** One picture or video. */
  children: ReactNode
}

const isControl = (target: EventTarget) => (target as HTMLElement).closest('button, input, textarea, select') !== null

/**
 * Pictures and videos one after the other, as large as the window: a tap on its sides or an arrow key leads to the
 * neighbour, a finger or the space bar pauses, a drag down or Escape closes. Without script its sides are links.
 */
export function Stage({ label, at, count, toOf, closeTo, after, seconds, openerOf, head, foot, children }: StageProps) {
  const stage = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const close = () => navigate(closeTo, QUIETLY)
  const before = at > 0 ? toOf(at - 1) : null
  const next = at + 1 < count ? toOf(at + 1) : (after ?? closeTo)
  const run = useRun({ stage, at, seconds: seconds ?? null, onEnd: () => navigate(next, QUIETLY) })
  const hold = useHold({ onHold: (is) => run.wait('finger', is), onThrown: close })
  const onKeyDown = (event: KeyboardEvent) => {
    if (isControl(event.target)) return
    if (event.key === 'ArrowLeft' && before) navigate(before, QUIETLY)
    if (event.key === 'ArrowRight') navigate(next, QUIETLY)
    if (event.key !== ' ') return
    event.preventDefault()
    run.setIsPaused((is) => !is)
  }
  return (
    <FullScreen className="stage" label={label} closeTo={closeTo} openerOf={openerOf} onKeyDown={onKeyDown}>
      <div className="stage-frame" ref={stage}>
        <Segments at={at} count={count} />
        <div className="stage-head">
          <div className="stage-whose">{head}</div>
          <PauseButton shown={seconds !== undefined} isPaused={run.isPaused} onPress={run.setIsPaused} />
          <Link to={closeTo} className="icon-button icon-button-plain" aria-label="Close" {...QUIETLY}>
            <Icon name="x" />
          </Link>
        </div>
        <div className="stage-view" {...hold}>
          {children}
          <Side to={before ?? toOf(at)} label="Previous" side="left" isEnd={before === null} />
          <Side to={next} label={at + 1 < count ? 'Next' : 'Go on'} side="right" isEnd={false} />
        </div>
        {foot ? <div className="stage-foot">{foot}</div> : null}
      </div>
    </FullScreen>
  )
}

function Segments({ at, count }: { at: number; count: number }) {
  return (
    <>
      <p className="visually-hidden" role="status">
        {at + 1} of {count}
      </p>
      <ol className="stage-segments" aria-hidden="true">
        {Array.from({ length: count }, (_, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a segment is its number
          <li key={n} className="stage-segment" aria-current={n === at ? 'step' : undefined}>
            {n <= at ? <span className="stage-fill" key={at} /> : null}
          </li>
        ))}
      </ol>
    </>
  )
}

type PauseProps = { shown: boolean; isPaused: boolean; onPress: (isPaused: boolean) => void }

function PauseButton({ shown, isPaused, onPress }: PauseProps) {
  if (!useHydrated() || !shown) return null
  return (
    <IconButton
      icon={isPaused ? 'play' : 'pause'}
      label={isPaused ? 'Play' : 'Pause'}
      onClick={() => onPress(!isPaused)}
    />
  )
}

type SideProps = { to: string; label: string; side: 'left' | 'right'; isEnd: boolean }

/** Before the first one it keeps the focus, and leads nowhere. */
function Side({ to, label, side, isEnd }: SideProps) {
  return (
    <Link
      to={to}
      className={`stage-side stage-${side}`}
      aria-label={label}
      aria-disabled={isEnd || undefined}
      draggable={false}
      {...QUIETLY}
    >
      <span className="stage-arrow">
        <Icon name={`chevron-${side}`} />
      </span>
    </Link>
  )
}
