import { Link } from '@remix-run/react'
import { type SyntheticEvent, useId, useState } from 'react'
import { classes } from '../classes.ts'
import { ListRows } from '../lists/list-rows.tsx'
import { PlainRow } from '../lists/plain-row.tsx'
import { sized } from '../picture/sources.ts'
import { BOX, type Cell, cellsFor, cornersOf, middleOf, RINGS, ringOf } from './radar-cells.ts'
import './hex-radar.css'

export type RadarPerson = {
  id: string
  name: string
  src: string | null
  to: string
  /** 1 is close by, 3 the furthest. */
  ring: number
  /** The band of distance in words; never a position. */
  distance: string
}

type HexRadarProps = {
  /** Whose radar it is, in the middle. */
  me: { name: string; src: string | null }
  people: readonly RadarPerson[]
  title: string
}

/**
 * Who is near as cells of a comb, the closer the further in, and the same people as a list, which is what the keyboard and
 * screen readers use: the drawing is a second way to press their links. It needs no script.
 */
export function HexRadar({ me, people, title }: HexRadarProps) {
  const [looked, lookAt] = useState<string | null>(null)
  const cells = cellsFor(people)
  const onLook = ({ target }: SyntheticEvent) => lookAt((target as Element).closest('[id]')?.id ?? null)
  return (
    <div className="radar">
      <svg className="radar-comb" viewBox={`${BOX.x} ${BOX.y} ${BOX.width} ${BOX.height}`} aria-hidden="true">
        <Ground />
        <Face cell={{ q: 0, r: 0 }} name={me.name} src={me.src} look="me" />
        {people.map((person) => {
          const cell = cells.get(person.id)
          return cell ? (
            <Link key={person.id} to={person.to} tabIndex={-1}>
              <Face cell={cell} name={person.name} src={person.src} look={looked === person.id ? 'looked' : 'other'} />
            </Link>
          ) : null
        })}
      </svg>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it marks in the drawing what is looked at here */}
      <div className="radar-list" onPointerOver={onLook} onPointerLeave={() => lookAt(null)} onFocus={onLook}>
        <ListRows title={title}>
          {people.map(({ id, name, src, to, distance }) => (
            <PlainRow key={id} id={id} to={to} label={name} value={distance} face={{ name, src }} />
          ))}
        </ListRows>
      </div>
    </div>
  )
}

function Ground() {
  const rings = Array.from({ length: RINGS }, (_, ring) => ring + 1)
  return (
    <>
      {rings.map((ring) => (
        <g key={ring} className={`radar-ring radar-ring-${ring}`}>
          {ringOf(ring).map((cell) => (
            <polygon key={`${cell.q} ${cell.r}`} points={cornersOf(cell)} />
          ))}
        </g>
      ))}
      <polygon className="radar-pulse" points={cornersOf({ q: 0, r: 0 }, 1)} />
    </>
  )
}

type FaceProps = { cell: Cell; name: string; src: string | null; look: 'me' | 'looked' | 'other' }

function Face({ cell, name, src, look }: FaceProps) {
  const clip = useId()
  const { x, y } = middleOf(cell)
  return (
    <g className={classes('radar-face', `radar-${look}`)}>
      <polygon className="radar-cell" points={cornersOf(cell)} />
      {src ? (
        <>
          <clipPath id={clip}>
            <polygon points={cornersOf(cell, 0.86)} />
          </clipPath>
          <image
            href={sized(src, 320)}
            x={x - 9}
            y={y - 9}
            width={18}
            height={18}
            preserveAspectRatio="xMidYMin slice"
            clipPath={`url(#${clip})`}
          />
        </>
      ) : (
        <text x={x} y={y}>
          {[...name.trim()][0]?.toUpperCase() ?? '?'}
        </text>
      )}
    </g>
  )
}
