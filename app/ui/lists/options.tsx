export type Choice = { value: string; label: string; help?: string }
type Option = Choice & { disabled?: boolean }
export type ChoiceGroup = { group: string; choices: readonly Option[] }
export type Choices = readonly (Option | ChoiceGroup)[]

/** What a select offers, in groups where it has any. */
export function Options({ choices }: { choices: Choices }) {
  return choices.map((one) =>
    'group' in one ? (
      <optgroup key={one.group} label={one.group}>
        <Options choices={one.choices} />
      </optgroup>
    ) : (
      <option key={one.value} value={one.value} disabled={one.disabled}>
        {one.label}
      </option>
    ),
  )
}
