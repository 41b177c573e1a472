import { LinkButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/card.tsx'
import type { Widening } from '../widening.server.ts'
import { UndoForm, type UndoProps } from './undo-form.tsx'

type EmptyDeckProps = UndoProps & { widening: Widening | null; hasLocation: boolean }

/** States honestly that nobody is left, names the filter that costs most, and widens it with one tap (ruling R34). Who named no place is asked for that first. */
export function EmptyDeck({ widening, hasLocation, undoable, onUndo }: EmptyDeckProps) {
  return (
    <div className="deck-empty" tabIndex={-1}>
      <EmptyState
        icon="compass"
        title={widening ? 'Nobody fits all of this right now' : 'You have seen everyone for now'}
        action={
          <div className="row deck-empty-actions">
            {widening ? (
              <LinkButton to={widening.to} tone={hasLocation ? 'primary' : 'secondary'} preventScrollReset>
                {widening.label}
              </LinkButton>
            ) : null}
            {undoable ? <UndoForm undoable={undoable} onUndo={onUndo} wide /> : null}
          </div>
        }
      >
        <p>
          {widening
            ? widening.why
            : 'New people join every day, and those you skipped come back in time. Look in again later.'}
        </p>
      </EmptyState>
    </div>
  )
}
