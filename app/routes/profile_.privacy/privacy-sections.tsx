import { FIELD_KEYS, FIELD_LEVELS, type FieldKey, type FieldLevel } from '../../../domain/profile/choices.ts'
import type { SelfView } from '../../../projections/view/present-self.ts'
import { RadioGroup } from '../../forms/chips.tsx'
import { choice, SectionForm, type SectionPage } from '../../ui/profile/section-form.tsx'
import { FIELD_LABELS, MODES } from '../../words/profile-labels.ts'
import './privacy-sections.css'

type SectionProps = { self: SelfView; page: SectionPage }

export const SAVED = 'Privacy saved ✔'
const LEVEL_LABELS: Record<FieldLevel, string> = { public: 'Everyone', matches: 'Matches', hidden: 'Nobody' }
const BLURS = [
  {
    value: 'clear',
    label: 'Where other settings say so',
    help: 'Strangers get your photos blurred in Auto, and where photos are for matches; else as they are.',
  },
  { value: 'blurred', label: 'Always', help: 'All your photos are blurred until you match, whoever may see them.' },
]

/** What comes of it for strangers, with the mode and who may see photos. */
export function blurWords({ blur, visibilityMode, fieldVisibility }: SelfView): string {
  if (fieldVisibility.photos === 'hidden') return 'Nobody sees your photos'
  if (blur === 'blurred') return 'Until you match'
  if (visibilityMode === 'auto') return 'Until you match, as Auto has it'
  return fieldVisibility.photos === 'matches'
    ? 'Until you match: photos are for matches'
    : 'Photos are shown as they are'
}

/** Who can find the member, and what strangers get (spec 2 §4). */
export function ModeSection({ self, page }: SectionProps) {
  return (
    <SectionForm
      section="mode"
      title="Profile visibility"
      page={page}
      stored={{ visibilityMode: self.visibilityMode }}
      done={SAVED}
    >
      {(form) => <RadioGroup legend="Who sees you" {...choice(form, 'visibilityMode')} look="rows" choices={MODES} />}
    </SectionForm>
  )
}

export function BlurSection({ self, page }: SectionProps) {
  return (
    <SectionForm section="blur" title="Photo blur" page={page} stored={{ blur: self.blur }} done={SAVED} prefix="own-">
      {(form) => (
        <RadioGroup
          legend="For people you have not matched with"
          {...choice(form, 'blur')}
          look="rows"
          choices={BLURS}
        />
      )}
    </SectionForm>
  )
}

function Audience({ name, level, disabled }: { name: FieldKey; level: string | undefined; disabled: boolean }) {
  return (
    <fieldset className="audience" disabled={disabled}>
      <legend>{FIELD_LABELS[name]}</legend>
      <div className="audience-levels">
        {FIELD_LEVELS.map((value) => (
          <label key={value} className="choice">
            <input type="radio" name={name} value={value} defaultChecked={value === level} />
            <span className="choice-face">{LEVEL_LABELS[value]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Eleven fields, each for everyone, matches or nobody; off while the profile is hidden (spec 2 §4). */
export function AudienceSection({ self, page }: SectionProps) {
  const hidden = self.visibilityMode === 'hidden'
  return (
    <SectionForm
      section="audience"
      title="Who sees what"
      help={
        hidden
          ? 'While your profile is hidden, these have no effect. Choose another visibility to change them.'
          : '“Everyone” means members whose Discover you can appear in. “Nobody” keeps it to yourself.'
      }
      page={page}
      stored={self.fieldVisibility}
      done={SAVED}
      disabled={hidden}
    >
      {(form) => (
        <fieldset
          className="audiences"
          id="fieldVisibility"
          aria-label="Who sees each field"
          // The summary of a form's errors leads here.
          tabIndex={-1}
        >
          {FIELD_KEYS.map((key) => (
            <Audience key={key} name={key} level={form.values(key)[0]} disabled={hidden} />
          ))}
        </fieldset>
      )}
    </SectionForm>
  )
}
