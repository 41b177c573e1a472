import { useNavigate } from '@remix-run/react'
import { type ComponentType, useEffect, useState } from 'react'
import { type DealtCard, profileOf } from './dealt-card.ts'

type Sheet = ComponentType<{ card: DealtCard; onClose: () => void }>

const load = () => import('./more.tsx').then(({ MoreSheet }) => MoreSheet)

/**
 * The sheet with more about the card on top, whose script is loaded when the page has nothing else to do. Where it does not
 * come, the page of the person opens instead.
 */
export function useMore(top: DealtCard | undefined) {
  const [opened, setOpened] = useState<{ id: string; Sheet: Sheet } | null>(null)
  const navigate = useNavigate()
  useEffect(() => whenIdle(() => void load().catch(() => undefined)), [])
  function open(): void {
    if (!top) return
    const { id } = top
    load().then(
      (Sheet) => setOpened({ id, Sheet }),
      () => navigate(profileOf(id)),
    )
  }
  const shown = opened && opened.id === top?.id ? opened : null
  return { Sheet: shown?.Sheet ?? null, open, close: () => setOpened(null) }
}

function whenIdle(work: () => void): () => void {
  if (!('requestIdleCallback' in window)) return () => {}
  const asked = requestIdleCallback(work)
  return () => cancelIdleCallback(asked)
}
