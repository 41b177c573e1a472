import { RecorderControls } from '../../ui/media/recorder-controls.tsx'
import { useRecorder } from '../../ui/media/use-recorder.ts'

/** Where the browser can record. */
export function Recording({ onRecorded }: { onRecorded: (file: File) => void }) {
  const recorder = useRecorder(onRecorded)
  if (!recorder.available) return null
  return (
    <div className="stack stack-s">
      <RecorderControls recorder={recorder} />
      <p role="alert">{recorder.error ? <span className="field-error">{recorder.error}</span> : null}</p>
    </div>
  )
}
