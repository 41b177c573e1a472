import { Picture, type PictureProps } from './picture.tsx'
import './placed-picture.css'

type PlacedProps = PictureProps & {
  /** What stays in view where the box cuts it off, in shares of the picture: from 0 to 1, to a fifth. */
  focus?: { x: number; y: number }
  /** A tiny picture of it, as an address that holds it: shown blurred until it is there. */
  placeholder?: string
}

/** Fifths, so that a sheet has them all: a page has no styles of its own on its elements. */
const fifth = (share: number) => Math.round(share * 5) * 20

/** A picture with a spot that its box may not cut off, and a blurred one that stands in for it. */
export function PlacedPicture({ focus = { x: 0.5, y: 0.4 }, placeholder, ...picture }: PlacedProps) {
  return (
    <span className={`picture-placed picture-x-${fifth(focus.x)} picture-y-${fifth(focus.y)}`}>
      {placeholder ? <img className="picture-placeholder" src={placeholder} alt="" /> : null}
      <Picture {...picture} />
    </span>
  )
}
