import { useEffect } from 'react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { useToast } from '../../ui/feedback/toast.tsx'
import { OTHERS_PAGE, OTHERS_PAGE_WORDS } from '../../words/others-page.ts'

const isOthers = (reply: unknown): reply is FormReply => (reply as FormReply | null)?.code === OTHERS_PAGE

/** Once a form was refused since its page is another's, the page becomes that of whoever is signed in, or signs up. */
export function useOthersPage(): void {
  const toast = useToast()
  useEffect(() => {
    const router = window.__remixRouter
    const known = new WeakSet<FormReply>()
    return router.subscribe(({ actionData, fetchers }) => {
      const replies: unknown[] = [...Object.values(actionData ?? {}), ...[...fetchers.values()].map(({ data }) => data)]
      const refused = replies.filter(isOthers).filter((reply) => !known.has(reply))
      if (refused.length === 0) return
      for (const reply of refused) known.add(reply)
      toast({ text: refused.map(errorIn)[0] ?? OTHERS_PAGE_WORDS, tone: 'alarm' })
      // The router is at work while it reports that.
      setTimeout(() => router.revalidate())
    })
  }, [toast])
}
