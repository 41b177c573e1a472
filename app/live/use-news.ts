import { useLocation } from '@remix-run/react'
import { useCallback, useRef } from 'react'
import { useShellMember } from '../shell/use-shell.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import { findNewsFace, isOnPage, type News, toastOf } from './news.ts'
import { useLiveEvent } from './use-live.tsx'

/** Shows a toast of news, unless the page has it already or nobody looks: a hidden page counts it in its title. */
export function useNewsToast(): (news: News) => void {
  const toast = useToast()
  const path = useRef('')
  path.current = useLocation().pathname
  return useCallback(
    async (news) => {
      const isIdle = () => document.visibilityState !== 'visible' || isOnPage(news, path.current)
      if (isIdle()) return
      // The position of the event is noted for the loaders once all have heard of it.
      await Promise.resolve()
      const face = await findNewsFace(news.from)
      if (face && !isIdle()) toast(toastOf(news, face))
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
