import { useLocation } from '@remix-run/react'
import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { focusTitle } from '../../forms/kept/focus.ts'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { useToast } from '../../ui/feedback/toast.tsx'
import { OTHERS_PAGE, OTHERS_PAGE_WORDS } from '../../words/others-page.ts'
import { isFocusLost } from '../lost-focus.ts'

const isOthers = (reply: unknown): reply is FormReply => (reply as FormReply | null)?.code === OTHERS_PAGE

/**
 * Once a form or a file was refused since its page is another's, the page becomes that of whoever is signed in, or signs up. The words
 * show only then, since what the page of before shows goes with it; under a modal sheet a toast is not seen, so the sheet has
 * them.
 */
export function useOthersPage(): ReactNode {
  const toast = useToast()
  const { key } = useLocation()
  const { count, words: text } = useReadAnew()
  const [sheet, setSheet] = useState<Element>()
  const shown = useRef(text)
  shown.current = text
  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes with its page.
  useEffect(() => setSheet(undefined), [key])
  useEffect(() => {
    if (count === 0) return
    const open = [...document.querySelectorAll('dialog:modal')].at(-1)
    setSheet(open)
    if (!open) toast({ text: shown.current, tone: 'alarm' })
    // What was pressed is gone with its page.
    if (isFocusLost()) focusTitle(open ?? document.getElementById('main') ?? document)
  }, [count, toast])
  if (!sheet) return null
  const words = (
    <p className="offline-strip" role="status">
      {text}
    </p>
  )
  return createPortal(words, sheet)
}

/** How often the page was read anew, and is drawn, since a form or a file was refused as another's; and why it was the last time. */
function useReadAnew(): { readonly count: number; readonly words: string } {
  const [anew, setAnew] = useState({ count: 0, words: OTHERS_PAGE_WORDS })
  useEffect(() => {
    const router = window.__remixRouter
    const known = new WeakSet<FormReply>()
    let isAwaited = false
    let words = OTHERS_PAGE_WORDS
    const readAnew = () => {
      router.revalidate()
      isAwaited = true
    }
    // The router is at work while it reports that.
    const refuse = (message: string) => {
      words = message
      setTimeout(readAnew)
    }
    const refuseFile = (event: Event) => refuse((event as CustomEvent<string>).detail)
    window.addEventListener(OTHERS_PAGE, refuseFile)
    const stop = router.subscribe(({ actionData, fetchers, navigation, revalidation }) => {
      if (isAwaited && navigation.state === 'idle' && revalidation === 'idle') {
        isAwaited = false
        // In the transition that draws the page.
        startTransition(() => setAnew(({ count }) => ({ count: count + 1, words })))
      }
      const replies: unknown[] = [...Object.values(actionData ?? {}), ...[...fetchers.values()].map(({ data }) => data)]
      const refused = replies.filter(isOthers).filter((reply) => !known.has(reply))
      for (const reply of refused) known.add(reply)
      if (refused[0]) refuse(errorIn(refused[0]) ?? words)
    })
    return () => {
      stop()
      window.removeEventListener(OTHERS_PAGE, refuseFile)
    }
  }, [])
  return anew
}
