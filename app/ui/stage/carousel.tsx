import { Children, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { IconButton } from '../button.tsx'
import { useHydrated } from '../use-hydrated.ts'
import './carousel.css'

/** More of them are counted instead. */
const DOTS_MAX = 10

type CarouselProps = {
  label: string
  /** What one of them is called on its dot. */
  noun?: string
  /** One element for each, all of one height. */
  children: ReactNode
}

/** Pictures beside each other, one in view: a row that scrolls, also without script, which adds arrows and dots. */
export function Carousel({ label, noun = 'Photo', children }: CarouselProps) {
  const row = useRef<HTMLUListElement>(null)
  const items = Children.toArray(children)
  const { at, go } = useRow(row, items.length)
  const hasSteps = useHydrated() && items.length > 1
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined || event.target !== row.current) return
    event.preventDefault()
    go(to)
  }
  return (
    <section className="carousel" aria-roledescription="carousel" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys */}
      <ul className="carousel-row" ref={row} tabIndex={0} aria-label={label} onKeyDown={onKeyDown}>
        {items.map((item, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are given in their order
          <li className="carousel-item" key={n}>
            {item}
          </li>
        ))}
      </ul>
      {hasSteps ? <Steps at={at} count={items.length} noun={noun} go={go} /> : null}
    </section>
  )
}

type StepsProps = { at: number; count: number; noun: string; go: (to: number) => void }

function Steps({ at, count, noun, go }: StepsProps) {
  return (
    <>
      <IconButton
        className="carousel-arrow carousel-back"
        icon="chevron-left"
        label="Previous"
        tone="raised"
        aria-disabled={at === 0}
        onClick={() => go(at - 1)}
      />
      <IconButton
        className="carousel-arrow carousel-on"
        icon="chevron-right"
        label="Next"
        tone="raised"
        aria-disabled={at === count - 1}
        onClick={() => go(at + 1)}
      />
      <p className="carousel-count tabular small" role="status">
        {at + 1} of {count}
      </p>
      {count > DOTS_MAX ? null : (
        <div className="carousel-dots">
          {Array.from({ length: count }, (_, n) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its number
              key={n}
              type="button"
              className="carousel-dot"
              aria-label={`${noun} ${n + 1}`}
              aria-current={n === at}
              onClick={() => go(n)}
            />
          ))}
        </div>
      )}
    </>
  )
}

/** Which one is in view, and a way to another. */
function useRow(row: RefObject<HTMLUListElement>, count: number) {
  const [at, setAt] = useState(0)
  useEffect(() => {
    const { current } = row
    if (!current) return
    const look = () => setAt(Math.round(current.scrollLeft / Math.max(1, current.clientWidth)))
    current.addEventListener('scroll', look, { passive: true })
    look()
    return () => current.removeEventListener('scroll', look)
  }, [row])
  const go = (to: number) => {
    const { current } = row
    current?.scrollTo({ left: Math.min(count - 1, Math.max(0, to)) * current.clientWidth })
  }
  return { at: Math.min(at, count - 1), go }
}
