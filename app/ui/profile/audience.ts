import { FIELD_KEYS } from '../../../domain/profile/choices.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { FIELD_LABELS } from '../../words/profile-labels.ts'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** 'Photos for matches. Height for nobody. The rest for everyone.' */
export function audience({ fieldVisibility }: SelfView): string {
  const named = (level: string) => FIELD_KEYS.filter((key) => fieldVisibility[key] === level)
  const sentence = (level: string, whom: string) => {
    const names = named(level).map((key, at) => (at === 0 ? FIELD_LABELS[key] : FIELD_LABELS[key].toLowerCase()))
    return names.length > 0 ? `${list.format(names)} for ${whom}.` : ''
  }
  const rest = named('public').length > 0 ? 'The rest for everyone.' : ''
  return [sentence('matches', 'matches'), sentence('hidden', 'nobody'), rest].filter(Boolean).join(' ')
}
