import { FIELD_KEYS } from '../../../domain/profile/choices.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { FIELD_LABELS, MODES } from '../../words/profile-labels.ts'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** 'Photos for matches. Height for nobody. The rest for everyone.', or as far as the mode shows it to others (ruling R4). */
export function audience({ fieldVisibility, visibilityMode }: SelfView): string {
  const named = (level: string) => FIELD_KEYS.filter((key) => fieldVisibility[key] === level)
  const sentence = (level: string, whom: string) => {
    const names = named(level).map((key, at) => (at === 0 ? FIELD_LABELS[key] : FIELD_LABELS[key].toLowerCase()))
    return names.length > 0 ? `${list.format(names)} for ${whom}.` : ''
  }
  const mode = MODES.find(({ value }) => value === visibilityMode)
  const whom = visibilityMode === 'full' ? 'for everyone' : `as ${mode?.label} has it`
  const rest = named('public').length > 0 ? `The rest ${whom}.` : ''
  return [sentence('matches', 'matches'), sentence('hidden', 'nobody'), rest].filter(Boolean).join(' ')
}
