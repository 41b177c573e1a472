/** The six steps of registration (spec 1 §2), in order. */
export const STEPS = [
  { name: 'basics', title: 'About you', short: 'Basics' },
  { name: 'preferences', title: 'Who you would like to meet', short: 'Preferences' },
  { name: 'interests', title: 'What you enjoy', short: 'Interests' },
  { name: 'photos', title: 'Your photos', short: 'Photos' },
  { name: 'contact', title: 'Phone and voice', short: 'Phone and voice' },
  { name: 'review', title: 'Look it over', short: 'Review' },
] as const

export type StepName = (typeof STEPS)[number]['name']

/** Counted from 1, as the address and the member count them. */
export function stepNumber(name: StepName): number {
  return STEPS.findIndex((step) => step.name === name) + 1
}

/** The step of a number out of an address, or null for none of the six. */
export function stepOf(number: unknown): StepName | null {
  return STEPS[Number(number) - 1]?.name ?? null
}

export function stepPath(name: StepName): string {
  return `/register?step=${stepNumber(name)}`
}
