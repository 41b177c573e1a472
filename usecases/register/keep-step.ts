import type { Ports } from '../ports.ts'
import type { StepAnswers } from './answers.ts'
import { openDraft, withStep } from './draft.ts'
import type { VisitorProof } from './proof.ts'

/** Stores the unfinished answers of one step; the step itself, sent meanwhile, wins. */
export async function keepStep(
  { proofs }: Pick<Ports, 'proofs'>,
  proof: VisitorProof,
  answers: StepAnswers,
): Promise<void> {
  await proofs.changeDraft(proof.token, (draft) => withStep(openDraft(draft), answers))
}
