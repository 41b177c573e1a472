import type { ToastMessage } from '../../ui/feedback/toast.tsx'

/** What a toast reports, and of whom. */
export type News = { readonly kind: 'buzz' | 'match' | 'message'; readonly from: string }
export type NewsFace = { readonly firstName: string; readonly photo: string | null }

/** Where the list of matches stands beside the room. */
const WIDE = '(min-width: 768px)'
const PROFILES = /^\/(view|viewProfile|preview)\/(\w+)\/?$/i

/** Whether the page at this path shows it already. */
export function isOnPage({ kind, from }: News, path: string, isWide = () => matchMedia(WIDE).matches): boolean {
  if (PROFILES.exec(path)?.[2] === from && kind !== 'message') return true
  switch (kind) {
    case 'message':
      return path === '/chat' || path === `/chat/${from}` || (path.startsWith('/chat/') && isWide())
    case 'buzz':
      return path === '/notifications'
    case 'match':
      return path === `/match/${from}` || path === `/chat/${from}`
  }
}

/** In words, with what can be done about it. */
export function toastOf({ kind, from }: News, { firstName, photo }: NewsFace): ToastMessage {
  const face = { name: firstName, photo }
  switch (kind) {
    case 'buzz':
      return { face, text: `${firstName} buzzed you.`, action: { label: 'See', to: '/notifications' } }
    case 'match':
      return { face, text: `It's a match with ${firstName}.`, action: { label: 'Say hello', to: `/chat/${from}` } }
    case 'message':
      return { face, text: `${firstName} sent you a message.`, action: { label: 'Reply', to: `/chat/${from}` } }
  }
}

/** null: nobody whom the member may hear of, such as one who took the buzz back meanwhile; or nobody knows right now. */
async function findNewsFace(from: string): Promise<NewsFace | null> {
  try {
    const answer = await fetch(`/news/${from}`, { headers: { Accept: 'application/json' }, redirect: 'error' })
    return answer.ok ? ((await answer.json()) as NewsFace) : null
  } catch {
    return null
  }
}

/** The toast of these news; null where the page, at this path, has them already, or nobody looks: a hidden page counts them in its title. */
export async function newsToast(news: News, path: () => string): Promise<ToastMessage | null> {
  const isIdle = () => document.visibilityState !== 'visible' || isOnPage(news, path())
  if (isIdle()) return null
  const face = await findNewsFace(news.from)
  return face && !isIdle() ? toastOf(news, face) : null
}
