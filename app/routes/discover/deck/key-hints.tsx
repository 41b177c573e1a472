import { useShortcuts } from './use-keys.ts'

/** What the keys do, and how to switch them off. */
export function KeyHints() {
  const { on, toggle } = useShortcuts()
  return (
    <div className="deck-keys">
      {on ? (
        <span className="from-tablet" aria-hidden="true">
          <kbd>←</kbd> skip <kbd>U</kbd> undo <kbd>→</kbd> buzz
        </span>
      ) : null}
      <button type="button" className="deck-keys-switch" onClick={toggle}>
        {on ? 'Turn keys off' : 'Turn keys on'}
      </button>
    </div>
  )
}
