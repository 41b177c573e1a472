import { IconButton } from '../../../ui/button.tsx'
import './photo-steps.css'

type PhotoStepsProps = { count: number; shown: number; onStep: (by: number) => void }

/**
 * Which of the photos is shown, and the buttons that turn them over, for keys and screen readers: they lie over nothing, since
 * taps are the card's own. At the end a button stays, so that it keeps the focus.
 */
export function PhotoSteps({ count, shown, onStep }: PhotoStepsProps) {
  return (
    <div className="photo-steps">
      <span className="photo-dots" aria-hidden="true">
        {Array.from({ length: count }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the dots are their positions
          <span key={i} data-on={i === shown || undefined} />
        ))}
      </span>
      <IconButton
        icon="chevron-left"
        label="Previous photo"
        tone="raised"
        aria-disabled={shown === 0 || undefined}
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon="chevron-right"
        label="Next photo"
        tone="raised"
        aria-disabled={shown === count - 1 || undefined}
        onClick={() => onStep(1)}
      />
    </div>
  )
}
