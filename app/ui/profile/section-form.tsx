import { useFetcher } from '@remix-run/react'
import type { ReactNode } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type Constraints, type FormReply, type FormState, formOf } from '../../forms/reply.ts'
import { useReply } from '../../forms/use-reply.ts'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../button.tsx'
import { CardTitle } from '../card.tsx'
import { Banner } from '../feedback/banner.tsx'
import { underWay } from '../under-way.ts'
import { useHydrated } from '../use-hydrated.ts'
import './section-form.css'

/** What the page around the sections knows. */
export type SectionPage = {
  /** What a section came to that was sent without script. */
  reply: FormReply | undefined
  /** The section that the address calls saved. */
  saved: string | null
  commandIds: Readonly<Record<string, string>>
  constraints?: Constraints
}

type SectionFormProps = {
  section: string
  title: string
  help?: string
  page: SectionPage
  /** What is stored, by field. */
  stored: NonNullable<Parameters<typeof formOf>[0]['defaults']>
  /** The message once it is done. */
  done?: string
  disabled?: boolean
  /** Goes before the ids of its fields, where one has the name of the section. */
  prefix?: string
  children: (form: FormState) => ReactNode
}

/**
 * One section of the own profile: it saves alone, and what came of it stands in it (spec 2 §8). With script, what is typed
 * in the others stays.
 */
export function SectionForm({
  section,
  title,
  help,
  page,
  stored,
  done = 'Profile updated ✅',
  disabled = false,
  prefix = '',
  children,
}: SectionFormProps) {
  const hydrated = useHydrated()
  const fetcher = useFetcher<FormReply>()
  const busy = underWay(fetcher) !== undefined
  const reply = useReply(fetcher.data ?? (page.reply?.form === section ? page.reply : undefined))
  const form = formOf({ reply, constraints: page.constraints ?? {}, defaults: stored, prefix })
  const saved = reply ? reply.done && !reply.unavailable : page.saved === section
  return (
    <section className="card profile-section" id={section} aria-labelledby={`${section}-title`}>
      <fetcher.Form method="post" action={`#${section}`} preventScrollReset noValidate className="stack">
        <Owner />
        <CardTitle id={`${section}-title`}>{title}</CardTitle>
        {help ? <p className="soft">{help}</p> : null}
        <ErrorSummary form={form} />
        <input type="hidden" name="section" value={section} />
        <input type="hidden" name="commandId" value={page.commandIds[section]} />
        {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
        {children(form)}
        <div className="row">
          <Button tone="primary" busy={busy} disabled={disabled}>
            Save<span className="visually-hidden"> {title.toLowerCase()}</span>
          </Button>
          <Done shown={Boolean(saved) && !busy}>{done}</Done>
        </div>
      </fetcher.Form>
    </section>
  )
}

/** The message of a section once it is done. */
export function Done({ shown, children }: { shown: boolean; children: string }) {
  return (
    <div role="status">
      {shown ? (
        <Banner tone="leaf">
          <p>{children}</p>
        </Banner>
      ) : null}
    </div>
  )
}

/** A group of which one is chosen. */
export function choice(form: FormState, name: string) {
  return { name, id: form.idOf(name), value: form.values(name)[0] ?? null, error: form.error(name) }
}
