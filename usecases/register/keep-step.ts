import { isDeepStrictEqual } from 'node:util'
import type { Ports } from '../ports.ts'
import type { StepAnswers } from './answers.ts'
import { openDraft, withStep } from './draft.ts'
import type { VisitorProof } from './proof.ts'

/** Stores the unfinished answers of one step; the step itself, sent since the proof was read, wins. */
export async function keepStep(
  { proofs }: Pick<Ports, 'proofs'>,
  proof: VisitorProof,
  answers: StepAnswers,
): Promise<void> {
  const { step } = answers
  const before = openDraft(proof.draft).steps[step]
  await proofs.changeDraft(proof.token, (stored) => {
    const draft = openDraft(stored)
    return isDeepStrictEqual(draft.steps[step], before) ? withStep(draft, answers) : draft
  })
}
