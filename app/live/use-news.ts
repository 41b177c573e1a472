import { useLocation } from '@remix-run/react'
import { useCallback, useRef } from 'react'
import { useShellMember } from '../shell/use-shell.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import type { News } from './kept/news.ts'
import { useLiveEvent } from './use-live.tsx'

/** Its script comes with what a page does once it works. */
const loadToast = () =>
  import('./kept/news.ts').then(
    (module) => module.newsToast,
    () => null,
  )

/** Shows a toast of news that the page does not show. */
export function useNewsToast(): (news: News) => void {
  const toast = useToast()
  const path = useRef('')
  path.current = useLocation().pathname
  return useCallback(
    async (news) => {
      // Until then the position of the event is noted for the loaders.
      const newsToast = await loadToast()
      const message = await newsToast?.(news, () => path.current)
      if (message) toast(message)
    },
    [toast],
  )
}

/** Buzzes and messages that come while another page is open; a match has its own moment. */
export function useNews(): void {
  const me = useShellMember()?.id
  const show = useNewsToast()
  useLiveEvent('notification', ({ data }) => {
    if (data.type === 'buzz') show({ kind: 'buzz', from: data.fromId })
  })
  useLiveEvent('direct:message', ({ data }) => {
    if (data.from !== me) show({ kind: 'message', from: data.from })
  })
}
