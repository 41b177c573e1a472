import { Form, useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { useMatchMoment } from '../../ui/match/match-moment.tsx'
import { underWay } from '../../ui/under-way.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import type { DealtCard, LastSkip } from './dealt-card.ts'
import { DeckCard } from './deck-card.tsx'
import type { DiscoverReply } from './reply.ts'
import { useDeck } from './use-deck.ts'
import { UNDO } from './use-deck-news.ts'
import { useWaitingFocus } from './use-empty-focus.ts'
import './deck.css'

/** Cards that peek from behind the top one. */
const BEHIND = 2
const KEYS_OF_THEIR_OWN = 'input, textarea, select, dialog, [role=menu], details, .photo-steps'

type DeckProps = { cards: readonly DealtCard[]; lastSkip: LastSkip; announce: (text: string) => void }

/** The stack of cards: by drag, by button, by arrow key, and by plain form without script. */
export function Deck({ cards, lastSkip, announce }: DeckProps) {
  const onMatch = useMatchMoment()
  const { left, leaving, decide, forget, isSkipOnItsWay } = useDeck(cards, { onMatch, announce })
  const top = left[0]
  const undoable = isSkipOnItsWay(lastSkip?.to) ? null : lastSkip
  const stack = [...(leaving ? [leaving.card] : []), ...left.slice(0, BEHIND + 1)]
  useKeys({ ArrowLeft: () => top && decide(top, 'left'), ArrowRight: () => top && decide(top, 'right') })
  const deck = useRef<HTMLElement>(null)
  useWaitingFocus(deck, !top)
  return (
    <section className="deck" aria-label="People near you" tabIndex={-1} ref={deck}>
      <div className="deck-stack">
        {top ? null : (
          <p className="deck-waiting" tabIndex={-1}>
            <Spinner /> Looking for more people…
          </p>
        )}
        {stack.map((card) => (
          <DeckCard
            key={card.id}
            card={card}
            top={card.id === top?.id}
            leaving={leaving?.card.id === card.id ? leaving.side : undefined}
            onDecide={(side) => decide(card, side)}
          />
        ))}
      </div>
      {top ? (
        <DeckButtons card={top} lastSkip={undoable} onDecide={(side) => decide(top, side)} onUndo={forget} />
      ) : null}
    </section>
  )
}

type DeckButtonsProps = {
  card: DealtCard
  lastSkip: LastSkip
  onDecide: (side: 'left' | 'right') => void
  onUndo: (id: string) => void
}

function DeckButtons({ card, lastSkip, onDecide, onUndo }: DeckButtonsProps) {
  const hydrated = useHydrated()
  return (
    <div className="deck-buttons">
      <DecisionForm card={card} intent="skip" onDecide={() => onDecide('left')}>
        <IconButton type="submit" icon="x" label={`Skip ${card.firstName}`} tone="raised" size="l" />
      </DecisionForm>
      <UndoForm lastSkip={lastSkip} onUndo={onUndo} />
      <DecisionForm card={card} intent="buzz" onDecide={() => onDecide('right')}>
        <IconButton type="submit" icon="buzz" label={`Buzz ${card.firstName}`} tone="primary" size="l" />
      </DecisionForm>
      {hydrated ? (
        <p className="deck-keys from-tablet" aria-hidden="true">
          <kbd>←</kbd> skip <kbd>U</kbd> undo <kbd>→</kbd> buzz
        </p>
      ) : null}
    </div>
  )
}

type DecisionFormProps = { card: DealtCard; intent: 'buzz' | 'skip'; onDecide: () => void; children: React.ReactNode }

/** A plain form; with script the same decision takes the card away first. */
function DecisionForm({ card, intent, onDecide, children }: DecisionFormProps) {
  return (
    <Form
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        onDecide()
      }}
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="to" value={card.id} />
      <input type="hidden" name="commandId" value={card.commandId} />
      {children}
    </Form>
  )
}

/** Brings the last skipped person back; free, and the only thing that U does. */
export function UndoForm({
  lastSkip,
  onUndo,
  wide,
}: {
  lastSkip: LastSkip
  onUndo?: (id: string) => void
  wide?: boolean
}) {
  const fetcher = useFetcher<DiscoverReply>({ key: UNDO })
  const hydrated = useHydrated()
  const busy = underWay(fetcher) !== undefined
  const disabled = !lastSkip || busy
  const form = useRef<HTMLFormElement>(null)
  const undo = () => disabled || form.current?.requestSubmit()
  useKeys({ u: undo, U: undo })
  return (
    <fetcher.Form ref={form} method="post" onSubmit={() => lastSkip && onUndo?.(lastSkip.to)}>
      <input type="hidden" name="intent" value="undo" />
      {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
      <input type="hidden" name="to" value={lastSkip?.to ?? ''} />
      <input type="hidden" name="commandId" value={lastSkip?.commandId ?? ''} />
      {wide ? (
        <Button icon="undo-2" disabled={disabled} busy={busy}>
          Undo the last skip
        </Button>
      ) : (
        <IconButton type="submit" icon="undo-2" label="Undo the last skip" tone="raised" disabled={disabled} />
      )}
    </fetcher.Form>
  )
}

/**
 * Left skips, right buzzes, U undoes, once for each press; never while something is being typed, photos are turned over or
 * a dialog is open.
 */
function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const elsewhere = (event.target as HTMLElement).closest(KEYS_OF_THEIR_OWN)
      if (elsewhere || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      latest.current[event.key]?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
