import { useNavigate } from '@remix-run/react'
import type { MouseEvent } from 'react'

/** For a link: leads back to where the member came from; without script, or in a new tab, it goes where it points. */
export function useGoBack(): (event: MouseEvent) => void {
  const navigate = useNavigate()
  return (event) => {
    if (window.history.length < 2) return
    event.preventDefault()
    navigate(-1)
  }
}
