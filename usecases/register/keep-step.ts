import type { Ports } from '../ports.ts'
import type { StepAnswers } from './answers.ts'
import { openDraft, withStep } from './draft.ts'
import type { VisitorProof } from './proof.ts'

/** Keeps what one step holds so far; the step itself, sent meanwhile, stands. */
export async function keepStep(
  { proofs }: Pick<Ports, 'proofs'>,
  proof: VisitorProof,
  answers: StepAnswers,
): Promise<void> {
  await proofs.changeDraft(proof.token, (draft) => withStep(openDraft(draft), answers))
}
