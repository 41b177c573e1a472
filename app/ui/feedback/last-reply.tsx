import { useActionData } from '@remix-run/react'
import { errorIn, type FormReply } from '../../forms/reply.ts'
import { Banner } from './banner.tsx'

/** What a page that does not open any more answered to the form that was sent from it, and the words in it. */
export function LastReply() {
  const reply = useActionData<FormReply>()
  const error = errorIn(reply)
  const { text, words, reason } = reply?.values ?? {}
  const typed = (text ?? words ?? reason)?.join('\n')
  if (!error) return null
  return (
    <Banner tone="alarm" live title={error}>
      {typed ? <LastWords text={typed} /> : null}
    </Banner>
  )
}

/** Words that were not sent, to be copied. */
export function LastWords({ text }: { text: string }) {
  return (
    <label className="last-words">
      What you wrote
      <textarea readOnly rows={4} defaultValue={text} />
    </label>
  )
}
