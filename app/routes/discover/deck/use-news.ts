import { useCallback, useState } from 'react'

/** What the page reads out: the last thing that happened. `count` differs for the same words announced again. */
export function useNews() {
  const [news, setNews] = useState({ text: '', count: 0 })
  const announce = useCallback((text: string) => setNews(({ count }) => ({ text, count: count + 1 })), [])
  return { news, announce }
}
