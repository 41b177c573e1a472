import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { StepName } from '../../../domain/identity/sign-up-steps.ts'
import { MAX_AGE, MAX_DISTANCE_MILES, MIN_AGE } from '../../../domain/profile/limits.ts'
import type { Draft } from '../../../usecases/register/draft.ts'
import { CardTitle } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import type { Choice } from '../../ui/lists/options.tsx'
import { sourcesOf } from '../../ui/picture/sources.ts'
import { labelsOf, MODE_CHOICES, milesInWords, SOUGHT_CHOICES } from './choices.ts'
import type { ShownVoice } from './step-contact.tsx'
import { StepForm, type StepProps } from './step-form.tsx'
import type { ShownMedia } from './step-photos.tsx'
import { STEP_WORDS, stepPath } from './steps.ts'
import './step-review.css'

type Typed = Draft['steps']
type ReviewProps = StepProps & {
  steps: Typed
  /** The date of birth, in words. */
  born: string
  email: string
  media: readonly ShownMedia[]
  voice: ShownVoice | null
  lookingFor: readonly Choice[]
}

function Part({ step, children }: { step: StepName; children: ReactNode }) {
  const { short } = STEP_WORDS[step]
  return (
    <section className="card stack stack-s">
      <header className="row spread">
        <CardTitle>{short}</CardTitle>
        <Link to={stepPath(step)} className="thumb">
          Change<span className="visually-hidden"> {short}</span>
        </Link>
      </header>
      {children}
    </section>
  )
}

/** It breaks before its @, where one line does not hold it. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  )
}

function basicFacts({ steps: { basics }, born, email, lookingFor }: ReviewProps) {
  if (!basics) return []
  return [
    ['Name', `${basics.firstName} ${basics.lastName}`],
    ['E-mail', <Address key="address" email={email} />],
    ['Date of birth', born],
    ['Gender', basics.gender],
    ['Looking for', labelsOf(lookingFor, [basics.lookingFor])],
    ['Interested in', labelsOf(SOUGHT_CHOICES, basics.interestedIn)],
  ] as const
}

function preferenceFacts({ preferences }: Typed) {
  const { ageMin, ageMax, distanceMiles, visibilityMode } = preferences ?? {}
  return [
    ['Their age', `${ageMin || MIN_AGE} to ${ageMax || MAX_AGE}`],
    ['Distance', milesInWords(Number(distanceMiles || MAX_DISTANCE_MILES))],
    ['Who sees you', labelsOf(MODE_CHOICES, [visibilityMode || 'auto'])],
  ] as const
}

export function StepReview(props: ReviewProps) {
  const { form, steps, media, voice } = props
  return (
    <StepForm step="review" form={form} goOn="Create account">
      <Part step="basics">
        <FactList facts={basicFacts(props)} />
      </Part>
      <Part step="preferences">
        <FactList facts={preferenceFacts(steps)} />
      </Part>
      <Part step="interests">
        <p>{steps.interests?.interests.join(', ')}</p>
      </Part>
      <Part step="photos">
        <ul className="review-photos">
          {media.map((item, at) => (
            <li key={item.id}>
              {item.kind === 'image' ? (
                <img
                  alt={item.isAvatar ? 'Your avatar' : `${at + 1} of your photos`}
                  width={80}
                  height={100}
                  {...sourcesOf(item.url, '4rem', 320)}
                />
              ) : (
                <span className="small">Video</span>
              )}
            </li>
          ))}
        </ul>
      </Part>
      <Part step="contact">
        <FactList
          facts={[
            ['Phone', steps.contact?.phone || 'None'],
            ['Voice intro', voice ? 'Recorded' : 'None'],
          ]}
        />
      </Part>
      <p className="wizard-terms small soft">
        By creating an account you confirm that you are 18 or older and accept the <Link to="/terms">Terms</Link> and
        the <Link to="/privacy">Privacy Policy</Link>.
      </p>
    </StepForm>
  )
}
