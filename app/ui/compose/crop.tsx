import { type KeyboardEvent, useId, useState } from 'react'
import { RangeLine } from '../../forms/range-line.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { useHydrated } from '../use-hydrated.ts'
import { boxOf, type Crop, type CropBox, inside, type Ratio, ZOOM_MAX } from './crop-area.ts'
import { useCropDrag } from './use-crop-drag.ts'
import './crop.css'

export type CropFieldProps = {
  legend: string
  /** Where the picture is, and how large. */
  src: string
  picture: { width: number; height: number }
  ratio: Ratio
  value?: Crop
  /** The fields of the form: `<name>X` and `<name>Y` are the middle and `<name>Zoom` the zoom, in percent. */
  name: string
  onChange?: (crop: Crop) => void
}

const WHOLE: Crop = { x: 0.5, y: 0.5, zoom: 1 }
const STEP = 0.02
const KEYS: Readonly<Record<string, readonly [x: number, y: number, zoom: number]>> = {
  ArrowLeft: [-STEP, 0, 0],
  ArrowRight: [STEP, 0, 0],
  ArrowUp: [0, -STEP, 0],
  ArrowDown: [0, STEP, 0],
  '+': [0, 0, 0.1],
  '=': [0, 0, 0.1],
  '-': [0, 0, -0.1],
}

/**
 * Chooses the part of a picture that is shown: dragged, moved by arrow keys and `+` and `-`, or typed in percent. The fields
 * are what a form sends; without script they alone choose.
 */
export function CropField({ legend, src, picture, ratio, value = WHOLE, name, onChange }: CropFieldProps) {
  const [crop, setCrop] = useState(() => inside(value, picture, ratio))
  const shown = inside(crop, picture, ratio)
  const helpId = useId()
  const hydrated = useHydrated()
  const put = (next: Crop) => {
    const kept = inside(next, picture, ratio)
    setCrop(kept)
    onChange?.(kept)
  }
  const drag = useCropDrag(shown, put)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key]
    if (!step) return
    event.preventDefault()
    put({ x: shown.x + step[0], y: shown.y + step[1], zoom: shown.zoom + step[2] })
  }
  const percent = (part: keyof Crop) => ({
    value: shown[part],
    onChange: (to: number) => put({ ...shown, [part]: to }),
  })
  return (
    <fieldset className="crop">
      <legend className="crop-legend">{legend}</legend>
      <div className="crop-picture" {...drag}>
        <img src={src} alt="" draggable={false} {...picture} />
        <fieldset
          className="crop-hand"
          aria-label="Frame"
          aria-describedby={helpId}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes arrow keys; the fields below do the same
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <Frame box={boxOf(shown, picture, ratio)} picture={picture} />
        </fieldset>
      </div>
      {hydrated ? (
        <RangeLine from={0} to={(shown.zoom - 1) / (ZOOM_MAX - 1)}>
          <input
            type="range"
            tabIndex={-1}
            min={1}
            max={ZOOM_MAX}
            step={0.01}
            value={shown.zoom}
            onChange={({ currentTarget }) => put({ ...shown, zoom: currentTarget.valueAsNumber })}
          />
        </RangeLine>
      ) : null}
      <p className="soft small" id={helpId}>
        {hydrated
          ? 'Drag the frame, or move it with the arrow keys. Plus and minus change its size.'
          : 'Across and down are the middle of the part that is shown.'}
      </p>
      <div className="crop-fields">
        <Percent label="Across, %" name={`${name}X`} {...percent('x')} />
        <Percent label="Down, %" name={`${name}Y`} {...percent('y')} />
        <Percent label="Zoom, %" name={`${name}Zoom`} min={100} max={100 * ZOOM_MAX} {...percent('zoom')} />
      </div>
    </fieldset>
  )
}

type PercentProps = {
  label: string
  name: string
  min?: number
  max?: number
  /** As a share: 1 is 100 %. */
  value: number
  onChange: (value: number) => void
}

/** What is typed stays as it is until the field is left. */
function Percent({ label, name, min = 0, max = 100, value, onChange }: PercentProps) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      type="number"
      label={label}
      name={name}
      min={min}
      max={max}
      step="any"
      inputMode="decimal"
      value={typed ?? String(Math.round(value * 100))}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        if (currentTarget.value && currentTarget.validity.valid) onChange(currentTarget.valueAsNumber / 100)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

/** What lies outside of the frame is dimmed; thirds help to compose. */
function Frame({ box, picture: { width, height } }: { box: CropBox; picture: { width: number; height: number } }) {
  const [x, y, w, h] = [box.left * width, box.top * height, box.width * width, box.height * height]
  const inner = `M${x} ${y}h${w}v${h}h${-w}z`
  const thirds = [1, 2].map((n) => `M${x + (n * w) / 3} ${y}v${h}M${x} ${y + (n * h) / 3}h${w}`).join('')
  return (
    <svg className="crop-frame" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path className="crop-scrim" fillRule="evenodd" d={`M0 0h${width}v${height}h${-width}z${inner}`} />
      <path className="crop-thirds" d={thirds} />
      <path className="crop-edge" d={inner} />
    </svg>
  )
}
