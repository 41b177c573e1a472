import { useNavigate } from '@remix-run/react'
import { useEffect } from 'react'
import { LinkButton } from '../button.tsx'

type PagingProps = { newer: string | null; older: string | null }

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, select, textarea, [contenteditable]') !== null

/** Links to both sides; where script runs `[` and `]` follow them. */
export function Paging({ newer, older }: PagingProps) {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
      const to = event.key === '[' ? newer : event.key === ']' ? older : null
      if (to) navigate(to)
    }
    document.addEventListener('keydown', follow)
    return () => document.removeEventListener('keydown', follow)
  }, [navigate, newer, older])
  if (!newer && !older) return null
  return (
    <nav className="row" aria-label="Pages">
      {newer ? (
        <LinkButton to={newer} icon="chevron-left" rel="prev" title="Newer, key [">
          Newer
        </LinkButton>
      ) : null}
      {older ? (
        <LinkButton to={older} icon="chevron-right" rel="next" title="Older, key ]">
          Older
        </LinkButton>
      ) : null}
    </nav>
  )
}
