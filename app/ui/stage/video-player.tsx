import { useLoaded } from '../media/voice-player.tsx'
import type { VideoPlayerProps } from './video-controls.tsx'
import './video-player.css'

const load = async () => (await import('./video-controls.tsx')).VideoControls

/** Plays a video. Until script has loaded the controls of the product, and without script, it has those of the browser. */
export function VideoPlayer(props: VideoPlayerProps) {
  const Controls = useLoaded(load)
  const { src, label, poster, width, height } = props
  return Controls ? (
    <Controls key={src} {...props} />
  ) : (
    <div className="video-player">
      {/* biome-ignore lint/a11y/useMediaCaption: a member's own short video has no captions */}
      <video
        controls
        playsInline
        preload="metadata"
        src={src}
        poster={poster}
        width={width}
        height={height}
        aria-label={label}
      />
    </div>
  )
}
