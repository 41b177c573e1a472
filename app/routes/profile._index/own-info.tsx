import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { MAX_DISTANCE_MILES } from '../../../domain/profile/limits.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { OPENED } from '../../ui/dialog.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { VoicePlayer } from '../../ui/media/voice-player.tsx'
import { ChipList } from '../../ui/person/facts.tsx'
import { heightLabel } from '../../words/profile-labels.ts'
import { SOUGHT_LABELS } from '../../words/sought-labels.ts'
import { vibeLabel } from '../../words/vibe-label.ts'
import { useWayBack } from './use-way-back.ts'
import './own-info.css'

type PartProps = {
  title: string
  /** Of the edit page; without it nothing is edited there. */
  section?: string
  children: ReactNode
}

function Part({ title, section, children }: PartProps) {
  return (
    <section className="own-info-part">
      <header className="row spread">
        <h2 className="person-heading">{title}</h2>
        {section ? <Edit section={section} title={title} /> : null}
      </header>
      {children}
    </section>
  )
}

/** Closing the form is the way back to this line. */
function Edit({ section, title }: { section: string; title: string }) {
  return (
    <Link to={`/profile/edit?section=${section}`} state={OPENED} className="own-edit" {...useWayBack(title)}>
      Edit<span className="visually-hidden"> {title.toLowerCase()}</span>
    </Link>
  )
}

function Chips({ items, none }: { items: readonly string[]; none: string }) {
  if (items.length === 0) return <p className="soft">{none}</p>
  return <ChipList items={items} />
}

type Answers = { title: string; section: string; facts: readonly (readonly [label: string, value: string | null])[] }

/** Short answers, by the section of the edit page that each is changed in. */
function answers(self: SelfView): readonly Answers[] {
  const { ageRange, distanceMiles } = self.preferences
  const far = distanceMiles >= MAX_DISTANCE_MILES ? `${MAX_DISTANCE_MILES}+ miles` : `${distanceMiles} miles`
  const sought = self.interestedIn.map((who) => SOUGHT_LABELS[who as keyof typeof SOUGHT_LABELS]).join(', ')
  return [
    {
      title: 'What you look for',
      section: 'looking',
      facts: [
        ['Looking for', vibeLabel(self.lookingFor)],
        ['Vibe', vibeLabel(self.vibe)],
      ],
    },
    {
      title: 'Who you would like to meet',
      section: 'meet',
      facts: [
        ['Interested in', sought],
        ['Ages', `${ageRange[0]} to ${ageRange[1]}`],
        ['Distance', far],
      ],
    },
    {
      title: 'Height and orientation',
      section: 'facts',
      facts: [
        ['Height', self.height === null ? null : heightLabel(self.height)],
        ['Orientation', self.orientation || null],
      ],
    },
    {
      title: 'Where you live',
      section: 'place',
      facts: [['City', [self.city, self.state].filter(Boolean).join(', ') || null]],
    },
    { title: 'Phone', section: 'phone', facts: [['Number', self.phone || null]] },
  ]
}

const shown = (facts: Answers['facts']) =>
  facts.map(([label, value]) => [label, value ?? <span className="soft">Not told</span>] as const)

/** The Info tab: the member's answers, and the questions still open (spec 2 §2). */
export function OwnInfo({ self }: { self: SelfView }) {
  return (
    <>
      <Part title="About" section="about">
        {self.bio ? <p className="person-bio">{self.bio}</p> : <p className="soft">Say a few words about yourself.</p>}
      </Part>
      <Part title="Voice intro" section="voice">
        {self.voiceIntro ? (
          <VoicePlayer src={self.voiceIntro} label="Your voice intro" />
        ) : (
          <p className="soft">Let others hear you: up to a minute in your own voice.</p>
        )}
      </Part>
      <Part title="Interests" section="interests">
        <Chips items={self.interests} none="Choose up to five. Shared ones are marked on your card." />
      </Part>
      <Part title="Hobbies" section="hobbies">
        <Chips items={self.hobbies} none="Choose up to five." />
      </Part>
      <Part title="Likes" section="tastes">
        <Chips items={self.likes} none="Small things that make your day." />
      </Part>
      <Part title="Dislikes" section="tastes">
        <Chips items={self.dislikes} none="What you could do without." />
      </Part>
      {answers(self).map(({ title, section, facts }) => (
        <Part key={section} title={title} section={section}>
          <FactList facts={shown(facts)} />
        </Part>
      ))}
      <Part title="Account">
        <FactList facts={[['E-mail', self.email]]} />
      </Part>
    </>
  )
}
