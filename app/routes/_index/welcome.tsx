import { ThemeToggle } from '../../shell/theme-toggle.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { CellIcon } from '../../ui/card.tsx'
import type { IconName } from '../../ui/picture/icon-names.ts'
import { Glimpse } from './glimpse.tsx'
import './welcome.css'

const BLURBS: { icon: IconName; title: string; text: string }[] = [
  {
    icon: 'map-pin',
    title: 'Near, but never on a map',
    text: 'See who is around and wants what you want. Others learn a rough distance, never the place.',
  },
  {
    icon: 'buzz',
    title: 'It takes two',
    text: 'Buzz someone. If they buzz back it is a match, and the chat opens. Until then nobody writes to you.',
  },
  {
    icon: 'shield-check',
    title: 'You hold the keys',
    text: 'Choose what each person sees, blur your photos until a match, block in a tap, and erase it all when you leave.',
  },
]

/** The landing page of a visitor; Login is in the bar above it. */
export function Welcome() {
  return (
    <>
      <section className="hero">
        <div className="hero-words">
          <h1>Good company, closer than you think.</h1>
          <p className="lead">Meet people nearby who are looking for the same thing. Say hello with a buzz.</p>
          <div className="hero-actions">
            <LinkButton to="/signup" tone="primary" size="l">
              Get Started
            </LinkButton>
          </div>
          <p className="small soft">For adults, 18 and over.</p>
        </div>
        <Glimpse />
      </section>
      <section className="blurbs" aria-label="What LetsBuzz is">
        {BLURBS.map((blurb) => (
          <div key={blurb.title} className="blurb">
            <CellIcon name={blurb.icon} />
            <h2>{blurb.title}</h2>
            <p className="soft">{blurb.text}</p>
          </div>
        ))}
      </section>
      <div className="landing-night">
        <p className="soft">Up late?</p>
        <ThemeToggle look="pill" />
      </div>
    </>
  )
}
