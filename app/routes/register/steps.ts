import { type StepName, stepNumber } from '../../../domain/identity/sign-up-steps.ts'

/** What heads each step, and what it is called in lists. */
export const STEP_WORDS: Readonly<Record<StepName, { title: string; short: string }>> = {
  basics: { title: 'About you', short: 'Basics' },
  preferences: { title: 'Who you would like to meet', short: 'Preferences' },
  interests: { title: 'What you enjoy', short: 'Interests' },
  photos: { title: 'Your photos', short: 'Photos' },
  contact: { title: 'Phone and voice', short: 'Phone and voice' },
  review: { title: 'Look it over', short: 'Review' },
}

export function stepPath(name: StepName): string {
  return `/register?step=${stepNumber(name)}`
}
