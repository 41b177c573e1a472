import { vibeLabel } from '../../words/vibe-label.ts'
import { Chip } from '../badge.tsx'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import type { Interest } from './shared-interests.ts'
import './about.css'

export type AboutPerson = {
  /** A town, or how far away they are. */
  readonly where?: string | undefined
  readonly vibe?: string | undefined
  readonly verified?: boolean | undefined
  readonly bio?: string | undefined
  readonly interests: readonly Interest[]
}

/** The words about a person: facts, bio and interests, each where there is one. */
export function About({ person }: { person: AboutPerson }) {
  const { bio, interests } = person
  const facts: [IconName, string | null | undefined][] = [
    ['map-pin', person.where],
    ['sparkles', vibeLabel(person.vibe)],
    ['badge-check', person.verified ? 'Verified' : null],
  ]
  return (
    <>
      <ul className="about-facts">
        {facts.map(([icon, fact]) =>
          fact ? (
            <li key={icon}>
              <Icon name={icon} size="s" /> {fact}
            </li>
          ) : null,
        )}
      </ul>
      {bio ? <p className="about-bio">{bio}</p> : null}
      {interests.length > 0 ? (
        <ul className="about-interests" aria-label="Interests">
          {interests.map(({ name, shared }) => (
            <li key={name}>
              <Chip tone={shared ? 'shared' : 'plain'}>{name}</Chip>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
