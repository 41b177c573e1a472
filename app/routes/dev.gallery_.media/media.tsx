import { Link } from '@remix-run/react'
import { Card } from '../../ui/card.tsx'
import filmUrl from '../../ui/dev/film.webm?url&no-inline'
import { scene } from '../../ui/dev/scenes.ts'
import voiceUrl from '../../ui/dev/voice.webm?url&no-inline'
import { VoicePlayer } from '../../ui/media/voice-player.tsx'
import { Picture } from '../../ui/picture/picture.tsx'
import { PlacedPicture } from '../../ui/picture/placed-picture.tsx'
import { Carousel } from '../../ui/stage/carousel.tsx'
import { VideoPlayer } from '../../ui/stage/video-player.tsx'
import './media.css'

/** Of a picture that is not there yet. */
const NOTHING = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"
const SPOTS = [
  { x: 0, y: 0.5 },
  { x: 0.6, y: 0.5 },
  { x: 1, y: 0.5 },
]

function Pictures() {
  return (
    <Card title="Picture">
      <div className="media-row">
        <figure>
          <Picture src={scene(0)} alt="Evening over the hills" width={800} height={1000} />
          <figcaption className="small soft">4:5</figcaption>
        </figure>
        <figure>
          <Picture src={scene(1, 1000, 1000)} alt="A lake in the morning" width={1000} height={1000} />
          <figcaption className="small soft">1:1</figcaption>
        </figure>
        <figure>
          <PlacedPicture src={NOTHING} alt="" placeholder={scene(2, 32, 40)} width={800} height={1000} />
          <figcaption className="small soft">Blurred until it is there</figcaption>
        </figure>
        <figure>
          <div className="media-narrow">
            <Picture src={null} alt="No photo yet" width={800} height={1000} fit="cover" />
          </div>
          <figcaption className="small soft">None</figcaption>
        </figure>
      </div>
      <p className="soft">Cut off by its box, with a spot that stays in view.</p>
      <div className="media-row">
        {SPOTS.map((focus) => (
          <figure key={focus.x}>
            <div className="media-narrow">
              <PlacedPicture src={scene(3, 1600, 900)} alt="" width={1600} height={900} fit="cover" focus={focus} />
            </div>
            <figcaption className="small soft">At {100 * focus.x} % across</figcaption>
          </figure>
        ))}
      </div>
    </Card>
  )
}

function Players() {
  return (
    <Card title="Players">
      <div className="media-player">
        <VideoPlayer src={filmUrl} label="Colours" poster={scene(4, 240, 300)} width={240} height={300} />
      </div>
      <VoicePlayer src={voiceUrl} label="A hum" />
    </Card>
  )
}

const views = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a view is its number
    <Picture key={n} src={scene(n + from)} alt={`Hills, view ${n + 1}`} width={800} height={1000} />
  ))

function Carousels() {
  return (
    <Card title="Carousel">
      <div className="media-row">
        <Carousel label="Five views">{views(5)}</Carousel>
        <Carousel label="Twelve views">{views(12, 2)}</Carousel>
        <Carousel label="A single view">{views(1, 4)}</Carousel>
      </div>
    </Card>
  )
}

/** What shows pictures, videos and sound, in its states. */
export function MediaGallery() {
  return (
    <div className="column column-wide stack stack-l">
      <h1>Media</h1>
      <p>
        <Link to="/dev/gallery">Gallery</Link>
      </p>
      <Pictures />
      <Carousels />
      <Players />
    </div>
  )
}
