import { Form } from '@remix-run/react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react'
import { Owner } from '../../../shell/owner.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { onDemand } from '../../../ui/on-demand.tsx'
import type { DealtCard } from './dealt-card.ts'
import type { Side } from './deck-queue.ts'
import { UndoForm, type UndoProps } from './undo-form.tsx'

const KeyHints = onDemand(async () => (await import('./key-hints.tsx')).KeyHints)

/** A second press sooner than this is the same tap: the next card has not been seen yet. */
const DOUBLE_TAP_MS = 250

type DeckButtonsProps = UndoProps & { card: DealtCard; onDecide: (side: Side) => void }

/** What can be done with the card on top, by plain form without script. */
export function DeckButtons({ card, onDecide, undoable, onUndo }: DeckButtonsProps) {
  const once = useOnePress()
  return (
    <div className="deck-buttons" {...once}>
      <DecisionForm card={card} intent="skip" onDecide={() => onDecide('left')}>
        <IconButton type="submit" icon="x" label={`Skip ${card.firstName}`} tone="raised" size="l" />
      </DecisionForm>
      <UndoForm undoable={undoable} onUndo={onUndo} />
      <DecisionForm card={card} intent="buzz" onDecide={() => onDecide('right')}>
        <IconButton type="submit" icon="buzz" label={`Buzz ${card.firstName}`} tone="primary" size="l" />
      </DecisionForm>
      <KeyHints />
    </div>
  )
}

/** One press, one decision: a key kept down repeats nothing, and the second tap of a double one is not for the next card. */
function useOnePress() {
  const lastAt = useRef(Number.NEGATIVE_INFINITY)
  function onKeyDownCapture(event: KeyboardEvent): void {
    if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
  }
  function onClickCapture(event: MouseEvent): void {
    const decision = (event.target as HTMLElement).closest('.deck-decision')
    // After another button no tap is the second of a double one; a click of the keyboard counts no taps.
    if (!decision) lastAt.current = Number.NEGATIVE_INFINITY
    else if (event.detail && event.timeStamp - lastAt.current < DOUBLE_TAP_MS) event.preventDefault()
    else if (event.detail) lastAt.current = event.timeStamp
  }
  return { onKeyDownCapture, onClickCapture }
}

type DecisionFormProps = { card: DealtCard; intent: 'buzz' | 'skip'; onDecide: () => void; children: ReactNode }

/** A plain form; with script the same decision takes the card away first. */
function DecisionForm({ card, intent, onDecide, children }: DecisionFormProps) {
  return (
    <Form
      method="post"
      className="deck-decision"
      onSubmit={(event) => {
        event.preventDefault()
        onDecide()
      }}
    >
      <Owner />
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="to" value={card.id} />
      <input type="hidden" name="commandId" value={card.commandId} />
      {children}
    </Form>
  )
}
