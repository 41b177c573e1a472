import { VOICE_MAX_SECONDS } from '../../../domain/profile/limits.ts'
import { Button } from '../button.tsx'
import type { Recorder } from './use-recorder.ts'

/** Record and Stop, and how long it has been. `again`: there is a recording that the next one replaces. */
export function RecorderControls({ recorder, again = false }: { recorder: Recorder; again?: boolean }) {
  return (
    <div className="row">
      {recorder.recording ? (
        <Button type="button" icon="square" tone="danger" onClick={recorder.stop}>
          Stop
        </Button>
      ) : (
        <Button type="button" icon="mic" onClick={() => void recorder.start()}>
          {again ? 'Record again' : 'Record'}
        </Button>
      )}
      <span className="tabular soft" role="timer" aria-label="Seconds recorded">
        {recorder.seconds} / {VOICE_MAX_SECONDS} s
      </span>
    </div>
  )
}
