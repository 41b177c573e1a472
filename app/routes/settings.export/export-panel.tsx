import { Form, useNavigation, useRevalidator } from '@remix-run/react'
import { useEffect } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import type { FormState } from '../../forms/reply.ts'
import { PasswordInput } from '../../forms/text-input.tsx'
import { Owner } from '../../shell/owner.tsx'
import { SecondFactorInput } from '../../ui/auth/auth-frame.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { NotedProgress } from '../../ui/feedback/progress.tsx'
import { inWords } from '../../words/waits.ts'

/** A copy as the page knows it. */
export type ShownExport = {
  state: 'preparing' | 'ready' | 'failed'
  done: number
  total: number
  bytes: number | null
  url: string
  expiresAt: string | null
}

const LOOK_EVERY_MS = 1_000
const WAYS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** How far the copy is: by itself with script, by a look again without. */
export function ExportState({ last }: { last: ShownExport }) {
  const { revalidate, state } = useRevalidator()
  const waiting = last.state === 'preparing'
  useEffect(() => {
    if (!waiting || state !== 'idle') return
    const timer = setTimeout(revalidate, LOOK_EVERY_MS)
    return () => clearTimeout(timer)
  }, [waiting, state, revalidate])
  if (last.state === 'failed')
    return (
      <Banner tone="alarm" title="Your copy could not be made">
        <p>That was our fault. Please ask for it once more.</p>
      </Banner>
    )
  return waiting ? <Preparing {...last} /> : <Ready {...last} />
}

function Preparing({ done, total }: ShownExport) {
  const share = total === 0 ? 0 : Math.floor((100 * done) / total)
  return (
    <Card title="Your copy is being made" icon="clock">
      <NotedProgress label="Your copy" value={share}>
        {total === 0 ? 'It starts in a moment.' : `${share} % done`}
      </NotedProgress>
      <p>You need not wait here: we send you a mail when it is ready.</p>
      <noscript>
        <p>
          <a href="/settings/export">Look again</a>
        </p>
      </noscript>
    </Card>
  )
}

function Ready({ url, bytes, expiresAt }: ShownExport) {
  return (
    <Card title="Your copy is ready" icon="circle-check">
      <p role="status">
        A zip file of {sizeOf(bytes ?? 0)}. Open index.html in it to read it.
        {expiresAt ? ` You can download it until ${WAYS.format(new Date(expiresAt))} UTC; then it is deleted.` : null}
      </p>
      <p>
        <LinkButton to={url} tone="primary" reloadDocument>
          Download your data
        </LinkButton>
      </p>
      <p className="soft">It holds everything about you. Keep it where nobody else can open it.</p>
    </Card>
  )
}

function sizeOf(bytes: number): string {
  const units = ['kB', 'MB', 'GB']
  let [size, at] = [bytes / 1000, 0]
  while (size >= 1000 && at < units.length - 1) [size, at] = [size / 1000, at + 1]
  return `${size < 10 ? Math.max(0.1, size).toFixed(1) : Math.round(size)} ${units[at]}`
}

type AskProps = {
  again: boolean
  /** Signed in a moment ago: no password is asked. */
  recent: boolean
  /** Their second factor is on. */
  factor: boolean
  nextInMs: number
  form: FormState
}

export function AskForExport({ again, recent, factor, nextInMs, form }: AskProps) {
  const busy = useNavigation().formData?.get('intent') === 'export'
  if (nextInMs > 0)
    return <p className="soft">You can ask for one copy a day. You can ask for the next one {inWords(nextInMs)}.</p>
  return (
    <Card title={again ? 'A new copy' : 'Ask for your copy'} icon="copy">
      <Form method="post" action="/settings/export" className="stack" noValidate>
        <Owner />
        <ErrorSummary form={form} />
        <p>
          It takes a moment, or some minutes if you have been here for long. It can be downloaded for 48 hours, by you
          alone.{again ? ' Once it is ready, the copy above is deleted.' : null}
        </p>
        {recent ? null : (
          <PasswordInput
            label="Password"
            {...form.field('password')}
            help="You signed in a while ago: show that it is you."
          />
        )}
        {factor && !recent ? <SecondFactorInput {...form.field('code')} /> : null}
        <div>
          <Button name="intent" value="export" tone={again ? 'secondary' : 'primary'} busy={busy}>
            Make my copy
          </Button>
        </div>
      </Form>
    </Card>
  )
}
