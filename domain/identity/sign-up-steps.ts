/** The six steps of registration (spec 1 §2), in order. */
export const STEPS = ['basics', 'preferences', 'interests', 'photos', 'contact', 'review'] as const

export type StepName = (typeof STEPS)[number]

/** Counted from 1, as the address and the member count them. */
export function stepNumber(name: StepName): number {
  return STEPS.indexOf(name) + 1
}

/** The step of a number out of an address, or null for none of the six. */
export function stepOf(number: unknown): StepName | null {
  return STEPS[Number(number) - 1] ?? null
}
