import { INTERESTS_SHOWN } from '../../../domain/profile/limits.ts'
import type { ProfileView } from '../../../projections/view/present.ts'
import { heightLabel, tagged } from '../../words/profile-labels.ts'
import { vibeLabel } from '../../words/vibe-label.ts'
import { Chip } from '../badge.tsx'
import { VoicePlayer } from '../media/voice-player.tsx'
import './facts.css'

type Fact = { label: string; value: string }

function factsOf(user: ProfileView): Fact[] {
  const vibe = vibeLabel(user.vibe)
  const looking = vibeLabel(user.lookingFor)
  const facts: (Fact | null)[] = [
    looking ? { label: 'Looking for', value: looking } : null,
    vibe && vibe !== looking ? { label: 'Vibe', value: vibe } : null,
    user.height === undefined ? null : { label: 'Height', value: heightLabel(user.height) },
    user.orientation ? { label: 'Orientation', value: user.orientation } : null,
    user.zodiac ? { label: 'Zodiac', value: user.zodiac } : null,
  ]
  return facts.filter((fact) => fact !== null)
}

/** Looking for, vibe, height, orientation and zodiac, as far as they may be seen. */
export function Facts({ user }: { user: ProfileView }) {
  const facts = factsOf(user)
  if (facts.length === 0) return null
  return (
    <dl className="person-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A list of words under its heading; what both have in common stands first, marked. Nothing when there are none. */
export function ChipSection({ title, items, mine = [] }: { title: string; items: string[]; mine?: readonly string[] }) {
  if (items.length === 0) return null
  const shared = items.filter((item) => mine.includes(item))
  const chips = [...shared, ...items.filter((item) => !mine.includes(item))].slice(0, INTERESTS_SHOWN)
  return (
    <section className="stack stack-s">
      <h2 className="person-heading">{title}</h2>
      <ChipList items={chips} shared={shared} />
    </section>
  )
}

/** Words beside each other; those that both have in common are marked. */
export function ChipList({ items, shared = [] }: { items: readonly string[]; shared?: readonly string[] }) {
  return (
    <ul className="person-chips">
      {items.map((item) => (
        <li key={item}>
          <Chip tone={shared.includes(item) ? 'shared' : 'plain'}>{item}</Chip>
        </li>
      ))}
    </ul>
  )
}

export function Tastes({ favorites }: { favorites: readonly string[] | undefined }) {
  return (
    <>
      <ChipSection title="Likes" items={tagged(favorites, 'like')} />
      <ChipSection title="Dislikes" items={tagged(favorites, 'dislike')} />
    </>
  )
}

export function VoiceIntro({ src, name }: { src: string | null | undefined; name: string }) {
  if (!src) return null
  return (
    <section className="stack stack-s">
      <h2 className="person-heading">Voice intro</h2>
      <VoicePlayer src={src} label={`Voice intro of ${name}`} />
    </section>
  )
}
