import { useEffect } from 'react'
import { notificationCount, type ShellMember } from '../../shell/shell.ts'
import { capped } from '../../words/capped.ts'

const COUNTED = /^\(\d+\+?\) /

/** The page's title with what is unread in front of it: "(3) Notifications · LetsBuzz". */
export function titleWith(count: number, title: string): string {
  const page = title.replace(COUNTED, '')
  return count > 0 ? `(${capped(count)}) ${page}` : page
}

/** What the two badges show together, so that the eye finds one number. */
export const titleCount = (unread: ShellMember['unread']): number => unread.chat + notificationCount(unread)

/** Keeps the count in the title, whichever page writes it; the loaders that each live event runs bring it. */
export function useTitleCount(unread: ShellMember['unread'] | undefined): void {
  const count = unread ? titleCount(unread) : 0
  useEffect(() => {
    const write = () => {
      const title = titleWith(count, document.title)
      if (title !== document.title) document.title = title
    }
    write()
    const watch = new MutationObserver(write)
    watch.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => watch.disconnect()
  }, [count])
}
