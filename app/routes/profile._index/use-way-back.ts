import { useLocation } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'

/** The link that was followed last, in which entry of the history. */
let followed: { readonly key: string; readonly name: string } | undefined

/** For a link to a sheet that is a page of its own: once the browser is back from it, the link has the focus again. */
export function useWayBack(name: string) {
  const { key } = useLocation()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (followed?.key !== key || followed.name !== name) return
    followed = undefined
    if (isFocusLost()) link.current?.focus()
  }, [key, name])
  const onClick = () => {
    followed = { key, name }
  }
  return { ref: link, onClick }
}
