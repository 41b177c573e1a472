import './honeycomb.css'

const RADIUS = 60
const WIDTH = Math.sqrt(3) * RADIUS

/** Rows of cells by tone: f faint, s soft, l outline, H and P the two who meet, a space none. */
const ROWS = [' ffs ', 'fsHlf', ' lPsf', 'ffslf', '  f  ']
const TONES: Record<string, string> = { f: 'faint', s: 'soft', l: 'outline', H: 'honey', P: 'petal' }

type Cell = { key: string; tone: string; x: number; y: number }

const cells: Cell[] = ROWS.flatMap((row, line) =>
  [...row].flatMap((letter, column) => {
    const tone = TONES[letter]
    const x = (column + 0.5 + (line % 2) / 2) * WIDTH
    return tone ? [{ key: `${line}-${column}`, tone, x: Math.round(x), y: Math.round((line * 1.5 + 1) * RADIUS) }] : []
  }),
)

function hexagon(radius: number): string {
  const corner = (at: number) => {
    const angle = (Math.PI / 180) * (60 * at - 90)
    return `${(radius * Math.cos(angle)).toFixed(1)},${(radius * Math.sin(angle)).toFixed(1)}`
  }
  return Array.from({ length: 6 }, (_, at) => corner(at)).join(' ')
}

const SHAPE = hexagon(RADIUS - 8)

function Person({ side }: { side: 'honey' | 'petal' }) {
  return (
    <g className={`comb-person comb-person-${side}`} clipPath="url(#comb-cell)">
      <circle r="15" cy={-14} />
      <path d="M-31 56c0-27 12-48 31-48s31 21 31 48Z" />
    </g>
  )
}

/** The people around as cells, and two of them lit: decoration for the landing page. */
export function Honeycomb() {
  return (
    <svg className="comb" viewBox="46 0 532 480" aria-hidden="true">
      <clipPath id="comb-cell">
        <polygon points={SHAPE} />
      </clipPath>
      {cells.map(({ key, tone, x, y }) => (
        <g key={key} transform={`translate(${x} ${y})`}>
          {tone === 'honey' ? <polygon className="comb-wave" points={SHAPE} /> : null}
          <polygon className={`comb-${tone}`} points={SHAPE} />
          {tone === 'honey' || tone === 'petal' ? <Person side={tone} /> : null}
        </g>
      ))}
    </svg>
  )
}
