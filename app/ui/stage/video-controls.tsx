import { useState } from 'react'
import { IconButton } from '../button.tsx'
import { classes } from '../classes.ts'
import { clockOf, PositionSlider } from '../media/position.tsx'
import { usePlayback } from '../media/use-playback.ts'
import { Icon } from '../picture/icon.tsx'

export type VideoPlayerProps = {
  src: string
  label: string
  /** A still of it, until it plays. */
  poster?: string
  /** The ratio of its box: keeps its place before it is there. */
  width: number
  height: number
}

/** A player in the look of the product: a tap plays and pauses; any second by a slider, and the sound. */
export function VideoControls({ src, label, poster, width, height }: VideoPlayerProps) {
  const { media, playing, at, length, failed, seek, toggle } = usePlayback<HTMLVideoElement>()
  const [muted, setMuted] = useState(false)
  return (
    <fieldset className={classes('video-player', playing && 'video-playing')} aria-label={label}>
      <video
        ref={media}
        src={src}
        poster={poster}
        width={width}
        height={height}
        muted={muted}
        playsInline
        preload="metadata"
        onClick={toggle}
      />
      {playing || failed ? null : (
        <span className="video-start" aria-hidden="true">
          <Icon name="play" size="l" />
        </span>
      )}
      <div className="video-bar">
        <IconButton icon={playing ? 'pause' : 'play'} label={playing ? 'Pause' : 'Play'} onClick={toggle} />
        <PositionSlider at={at} length={length} onSeek={seek} />
        <span className="video-clock tabular small" aria-hidden="true">
          {clockOf(at, length)}
        </span>
        <IconButton
          icon={muted ? 'volume-x' : 'volume-2'}
          label="Mute"
          aria-pressed={muted}
          onClick={() => setMuted(!muted)}
        />
      </div>
      <p role="status" className="video-failed">
        {failed ? 'This video cannot be played.' : ''}
      </p>
    </fieldset>
  )
}
