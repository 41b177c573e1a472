import { Checkbox, CheckboxChips, RadioGroup } from '../../forms/chips.tsx'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { RangePair } from '../../forms/range-pair.tsx'
import { Select } from '../../forms/select.tsx'
import { PasswordInput, TextArea, TextInput } from '../../forms/text-input.tsx'
import { Button } from '../../ui/button.tsx'

const choices = (...labels: string[]) => labels.map((label) => ({ value: label.toLowerCase(), label }))
const MODES = [
  { value: 'auto', label: 'Auto', help: 'Photos are blurred until you match.' },
  { value: 'limited', label: 'Limited', help: 'A short preview for everyone.' },
  { value: 'hidden', label: 'Hidden', help: 'Not in Discover. Your matches stay.' },
]

function Inputs() {
  return (
    <>
      <TextInput label="First name" name="firstName" defaultValue="Ann" autoComplete="given-name" />
      <TextInput
        label="E-mail"
        name="email"
        type="email"
        error="Enter an e-mail address, such as ann@post.example."
        defaultValue="ann@"
      />
      <PasswordInput
        label="Password"
        name="password"
        help="At least 6 characters. A sentence is easiest to remember."
      />
      <TextInput label="Phone" name="phone" type="tel" optional placeholder="+46 70 123 45 67" />
      <Select label="Gender" name="gender" placeholder="Choose" choices={choices('Male', 'Female', 'Non-binary')} />
      <TextArea label="Bio" name="bio" maxCharacters={500} count help="What would a friend say about you?" />
    </>
  )
}

const FAILED = { email: 'Enter an e-mail address, such as ann@post.example.', interests: ['Choose at least one.'] }

/** Every control of a form, in its usual and its failed state. */
export function FormSamples() {
  return (
    <form className="stack stack-l" method="get">
      <ErrorSummary form={{ errors: FAILED }} />
      <Inputs />
      <RadioGroup
        legend="Looking for"
        name="lookingFor"
        value="casual"
        choices={choices('Long-term', 'Casual', 'Friends')}
      />
      <CheckboxChips
        legend="Interests"
        name="interests"
        max={3}
        values={['music', 'travel']}
        error="Choose at least one."
        choices={choices('Music', 'Travel', 'Movies', 'Foodie', 'Board Games', 'Volunteering')}
      />
      <RadioGroup legend="Who sees you" name="mode" look="rows" value="auto" choices={MODES} />
      <RangePair legend="Age" names={['ageFrom', 'ageTo']} min={18} max={100} value={[24, 38]} />
      <Checkbox name="terms" label="I am 18 or older and accept the Terms." />
      <Checkbox name="sound" label="Message sound" look="switch" defaultChecked />
      <p className="row">
        <Button tone="primary">Save</Button>
        <Button tone="primary" busy>
          Saving…
        </Button>
        <Button disabled>Not yet</Button>
      </p>
    </form>
  )
}
