/** Turns while something is on its way; appears late enough not to flash. With a label it is announced. */
export function Spinner({ label }: { label?: string }) {
  return label ? (
    <span className="spinner-line" role="status">
      <span className="spinner" aria-hidden="true" />
      {label}
    </span>
  ) : (
    <span className="spinner" aria-hidden="true" />
  )
}

/** Grey shapes in the place of what loads: `lines` of text, or one box of a ratio. */
export function Skeleton({ lines, shape = 'text' }: { lines?: number; shape?: 'text' | 'card' | 'row' }) {
  const parts = Array.from({ length: lines ?? 1 }, (_, at) => `part-${at}`)
  return (
    <div className={`skeleton skeleton-${shape}`} aria-hidden="true">
      {parts.map((part) => (
        <span key={part} />
      ))}
    </div>
  )
}
