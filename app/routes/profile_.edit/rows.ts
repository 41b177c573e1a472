import { MAX_DISTANCE_MILES } from '../../../domain/profile/limits.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import type { IconName } from '../../ui/picture/icon-names.ts'
import { heightLabel } from '../../words/profile-labels.ts'
import { SOUGHT_LABELS } from '../../words/sought-labels.ts'
import { vibeLabel } from '../../words/vibe-label.ts'

/** What a section is called on its row, and what is stored in it: null for nothing yet. */
type Row = readonly [section: string, icon: IconName, label: string, value: (self: SelfView) => string | null]

const joined = (words: readonly (string | null)[], by: string) => words.filter(Boolean).join(by) || null

function sought({ interestedIn, preferences: { ageRange, distanceMiles } }: SelfView): string | null {
  const whom = interestedIn.map((who) => SOUGHT_LABELS[who as keyof typeof SOUGHT_LABELS]).join(', ')
  const far = distanceMiles >= MAX_DISTANCE_MILES ? 'any distance' : `within ${distanceMiles} miles`
  return joined([whom, `${ageRange[0]} to ${ageRange[1]}`, far], ' · ')
}

/** The sections of the page, in the order of its rows. */
export const GROUPS: readonly { title: string; rows: readonly Row[] }[] = [
  {
    title: 'In your words',
    rows: [
      ['about', 'user-round', 'About you', ({ bio }) => bio || null],
      ['interests', 'sparkles', 'Interests', ({ interests }) => joined(interests, ', ')],
      ['hobbies', 'bike', 'Hobbies', ({ hobbies }) => joined(hobbies, ', ')],
      ['tastes', 'heart', 'Likes and dislikes', ({ likes, dislikes }) => joined([...likes, ...dislikes], ', ')],
      ['voice', 'mic', 'Voice intro', ({ voiceIntro }) => voiceIntro && 'Recorded'],
    ],
  },
  {
    title: 'Facts',
    rows: [
      ['facts', 'info', 'Height and orientation', (self) => joined([heightOf(self), self.orientation], ' · ')],
      ['place', 'map-pin', 'Where you live', ({ city, state }) => joined([city, state], ', ')],
      ['name', 'badge-check', 'Name', ({ firstName, lastName }) => joined([firstName, lastName], ' ')],
      ['phone', 'phone', 'Phone', ({ phone }) => phone || null],
    ],
  },
  {
    title: 'Whom you meet',
    rows: [
      ['looking', 'search', 'What you look for', ({ lookingFor, vibe }) => lookingOf(lookingFor, vibe)],
      ['meet', 'users', 'Who you would like to meet', sought],
    ],
  },
]

const heightOf = ({ height }: SelfView) => (height === null ? null : heightLabel(height))

function lookingOf(lookingFor: string, vibe: string): string | null {
  const words = [vibeLabel(lookingFor), vibeLabel(vibe)]
  return joined([...new Set(words)], ' · ')
}
