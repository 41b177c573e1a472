import { type RefObject, useEffect, useRef } from 'react'
import { isFocusLost } from '../../shell/lost-focus.ts'

/**
 * Once the question whether to delete a picture is answered, the focus goes back to its menu, or to the picture in its place
 * where it is gone. `doomed` is the id of the one that is asked about.
 */
export function useDoomedFocus(
  list: RefObject<HTMLElement>,
  media: readonly { id: string }[],
  doomed: string | undefined,
): void {
  const asked = useRef<{ id: string; at: number } | null>(null)
  useEffect(() => {
    const at = media.findIndex(({ id }) => id === doomed)
    const before = asked.current
    asked.current = doomed && at >= 0 ? { id: doomed, at } : null
    if (!before || asked.current || !isFocusLost()) return
    const still = media.findIndex(({ id }) => id === before.id)
    const rows = list.current?.querySelectorAll<HTMLElement>(':scope > li') ?? []
    const row = rows[still < 0 ? Math.min(before.at, rows.length - 1) : still]
    row?.querySelector<HTMLElement>(still < 0 ? 'a' : 'summary')?.focus()
  }, [list, media, doomed])
}
