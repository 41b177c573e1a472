import { IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import { clockOf, PositionSlider } from './position.tsx'
import { usePlayback } from './use-playback.ts'
import { useWaveform, Waveform } from './waveform.tsx'
import './voice-controls.css'

/** A player in the look of the product: play and pause, and any second by a slider, over the waves once it has been played. */
export function VoiceControls({ src, label }: { src: string; label: string }) {
  const { media, playing, at, length, failed, seek, toggle } = usePlayback<HTMLAudioElement>()
  const peaks = useWaveform(src, playing)
  return (
    <fieldset className="voice-controls" aria-label={label}>
      {/* biome-ignore lint/a11y/useMediaCaption: a member's own short recording has no captions */}
      <audio ref={media} src={src} preload="metadata" />
      <IconButton
        icon={playing ? 'pause' : 'play'}
        label={playing ? 'Pause' : 'Play'}
        tone="primary"
        onClick={toggle}
      />
      <span className={classes('voice-position', peaks && 'voice-waves')}>
        {peaks ? <Waveform peaks={peaks} share={length ? at / length : 0} /> : null}
        <PositionSlider at={at} length={length} onSeek={seek} />
      </span>
      <span className="tabular small soft" aria-hidden="true">
        {clockOf(at, length)}
      </span>
      <span role="status" className="small">
        {failed ? 'This recording cannot be played.' : ''}
      </span>
    </fieldset>
  )
}
