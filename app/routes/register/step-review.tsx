import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { STEPS, type StepName, stepNumber, stepPath } from '../../../domain/identity/sign-up-steps.ts'
import { LOOKING_FOR_LABELS, type LookingFor } from '../../../domain/profile/choices.ts'
import { MAX_DISTANCE_MILES } from '../../../domain/profile/limits.ts'
import { CardTitle } from '../../ui/card.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { dateInWords, labelsOf, MODE_CHOICES, milesInWords, SOUGHT_CHOICES } from './choices.ts'
import type { ShownVoice } from './step-contact.tsx'
import { many, one, StepForm, type StepProps } from './step-form.tsx'
import type { ShownMedia } from './step-photos.tsx'
import './step-review.css'

type ReviewProps = StepProps & { email: string; media: readonly ShownMedia[]; voice: ShownVoice | null }

function Part({ step, children }: { step: StepName; children: ReactNode }) {
  const { short } = STEPS[stepNumber(step) - 1]!
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

function basics({ values, email }: ReviewProps) {
  return [
    ['Name', `${one(values, 'firstName')} ${one(values, 'lastName')}`],
    ['E-mail', email],
    ['Date of birth', dateInWords(one(values, 'dob'))],
    ['Gender', one(values, 'gender')],
    ['Looking for', LOOKING_FOR_LABELS[one(values, 'lookingFor') as LookingFor] ?? ''],
    ['Interested in', labelsOf(SOUGHT_CHOICES, many(values, 'interestedIn'))],
  ] as const
}

function preferences({ values }: ReviewProps) {
  const miles = Number(one(values, 'distanceMiles') || MAX_DISTANCE_MILES)
  return [
    ['Their age', `${one(values, 'ageMin') || 18} to ${one(values, 'ageMax') || 100}`],
    ['Distance', milesInWords(miles)],
    ['Who sees you', labelsOf(MODE_CHOICES, [one(values, 'visibilityMode') || 'auto'])],
  ] as const
}

export function StepReview(props: ReviewProps) {
  const { values, errors, media, voice } = props
  return (
    <StepForm step="review" errors={errors} goOn="Create account">
      <Part step="basics">
        <FactList facts={basics(props)} />
      </Part>
      <Part step="preferences">
        <FactList facts={preferences(props)} />
      </Part>
      <Part step="interests">
        <p>{many(values, 'interests').join(', ')}</p>
      </Part>
      <Part step="photos">
        <ul className="review-photos">
          {media.map((item, at) => (
            <li key={item.id}>
              {item.kind === 'image' ? (
                <img
                  src={item.url}
                  alt={item.isAvatar ? 'Your avatar' : `${at + 1} of your photos`}
                  width={80}
                  height={100}
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
            ['Phone', one(values, 'phone') || 'None'],
            ['Voice intro', voice ? 'Recorded' : 'None'],
          ]}
        />
      </Part>
      <p className="small soft">
        By creating an account you confirm that you are 18 or older and accept the <Link to="/terms">Terms</Link> and
        the <Link to="/privacy">Privacy Policy</Link>.
      </p>
    </StepForm>
  )
}
