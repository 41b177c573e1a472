import { useSearchParams } from '@remix-run/react'
import { useState } from 'react'
import { AnchoredList } from '../../ui/anchored/anchored-list.tsx'
import { Card } from '../../ui/card.tsx'
import './numbers.css'

const ALL = 500
const SHOWN = 60
const STEP = 20

const startOf = (asked: number) => Math.min(Math.max(1, Math.trunc(asked) || 1), ALL - SHOWN + 1)

/** A long list, of which few rows are in the page at a time. */
export function Numbers() {
  const [search] = useSearchParams()
  const [start, move] = useState(startOf(Number(search.get('from') ?? 200)))
  const beyond = (label: string, by: number) => {
    const next = startOf(start + by)
    return next === start ? null : { label, show: () => move(next), to: `?from=${next}` }
  }
  return (
    <Card title="A list that loads both ways">
      <div className="numbers">
        <AnchoredList
          label="Numbers"
          rows={Array.from({ length: SHOWN }, (_, index) => start + index)}
          keyOf={String}
          before={beyond('Earlier numbers', -STEP)}
          after={beyond('Later numbers', STEP)}
        >
          {(number) => <p className={`sample-number sample-number-${number % 3}`}>Number {number}</p>}
        </AnchoredList>
      </div>
    </Card>
  )
}
