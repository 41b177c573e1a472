import { useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CropField } from '../../ui/compose/crop.tsx'
import type { Crop, Ratio } from '../../ui/compose/crop-area.ts'
import { cut } from '../../ui/compose/cut.ts'
import { scene } from '../../ui/dev/scenes.ts'

const WIDE = { width: 1200, height: 800 }

/** What a form has sent, in percent. */
function sent(search: URLSearchParams, name: string): Crop | undefined {
  const part = (of: string) => Number(search.get(`${name}${of}`)) / 100
  return search.has(`${name}X`) ? { x: part('X'), y: part('Y'), zoom: part('Zoom') } : undefined
}

function SampleCrop({ ratio, legend }: { ratio: Ratio; legend: string }) {
  const [search] = useSearchParams()
  const value = sent(search, ratio)
  const [crop, setCrop] = useState<Crop>(value ?? { x: 0.5, y: 0.5, zoom: 1 })
  const [result, setResult] = useState<string | null>(null)
  const src = scene(ratio === 'square' ? 1 : 0, WIDE.width, WIDE.height)
  const show = async () => {
    const file = await asFile(src)
    const blob = file && (await cut(file, crop, ratio))
    setResult(blob ? URL.createObjectURL(blob) : null)
  }
  return (
    <form method="get" className="stack">
      <CropField
        legend={legend}
        src={src}
        picture={WIDE}
        ratio={ratio}
        name={ratio}
        {...(value && { value })}
        onChange={setCrop}
      />
      <p className="row">
        <Button>Send</Button>
        <Button type="button" onClick={() => void show()}>
          Cut
        </Button>
      </p>
      {result ? <img className="compose-cut" src={result} alt={`${legend}, cut out`} /> : null}
    </form>
  )
}

/** The drawn scene as a file, as a camera gives one. */
async function asFile(src: string): Promise<Blob | null> {
  const image = new Image()
  image.src = src
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, WIDE)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return new Promise((done) => canvas.toBlob(done))
}

/** A picture cut to each ratio of the product. */
export function SampleCrops() {
  return (
    <Card title="Crop">
      <div className="compose-pair">
        <SampleCrop ratio="portrait" legend="Post, 4:5" />
        <SampleCrop ratio="square" legend="Avatar, 1:1" />
      </div>
    </Card>
  )
}
