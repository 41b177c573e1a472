import { Link, useSearchParams } from '@remix-run/react'
import { Card } from '../../ui/card.tsx'
import { moved, type Slot } from '../../ui/compose/slots.ts'
import { UploadSlots } from '../../ui/compose/upload-slots.tsx'
import { useSlots } from '../../ui/compose/use-slots.ts'
import { scene } from '../../ui/dev/scenes.ts'
import { upload } from '../../ui/media/upload.ts'
import { VISUAL_SIZES } from '../../words/file-sizes.ts'
import { SampleCrops } from './sample-crops.tsx'
import './compose.css'

const SENT: readonly Slot[] = [
  'evening.jpg',
  'morning.jpg',
  'a-very-long-name-that-a-camera-gave-IMG_20260101.jpg',
].map((name, at) => ({
  key: `sample${at}`,
  id: `sample${at}`,
  name,
  preview: scene(at),
  isVideo: false,
  state: 'sent',
}))

/** In the order that the address asks for, as a form without script does. */
function asked(search: URLSearchParams): readonly Slot[] {
  const earlier = moved(SENT, search.get('earlier') ?? '', -1)
  return moved(earlier, search.get('later') ?? '', 1).filter(({ key }) => key !== search.get('remove'))
}

function Slots() {
  const [search] = useSearchParams()
  const { slots, add, retry, remove, move } = useSlots(
    (file, options) => upload(file, { purpose: 'photo', ...options }),
    asked(search),
  )
  return (
    <Card title="Upload slots">
      <form method="get">
        <UploadSlots
          id="slot-file"
          label="Photos of your post"
          slots={slots}
          max={6}
          help={`Up to 6. ${VISUAL_SIZES}`}
          onAdd={add}
          onRetry={retry}
          onRemove={remove}
          onMove={move}
        />
      </form>
    </Card>
  )
}

/** What takes pictures and videos, in its states. */
export function ComposeGallery() {
  return (
    <div className="column column-wide stack stack-l">
      <h1>Compose</h1>
      <p>
        <Link to="/dev/gallery">Gallery</Link>
      </p>
      <Slots />
      <SampleCrops />
    </div>
  )
}
