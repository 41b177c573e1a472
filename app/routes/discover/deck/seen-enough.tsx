import { EmptyState } from '../../../ui/card.tsx'
import { inWords } from '../../../words/waits.ts'
import { UndoForm, type UndoProps } from './undo-form.tsx'

/** Instead of the deck, for a member who was shown as many people as an hour holds. */
export function SeenEnough({ waitMs, undoable, onUndo }: UndoProps & { waitMs: number }) {
  return (
    <div className="deck-empty" tabIndex={-1}>
      <EmptyState
        icon="compass"
        title="A little slower, please"
        action={
          <div className="row deck-empty-actions">
            {undoable ? <UndoForm undoable={undoable} onUndo={onUndo} wide /> : null}
          </div>
        }
      >
        <p>You have seen a lot of people in a short time. You can see more {inWords(waitMs)}.</p>
      </EmptyState>
    </div>
  )
}
