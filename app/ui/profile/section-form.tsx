import { useFetcher } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type Constraints, type FormReply, type FormState, formOf } from '../../forms/reply.ts'
import { useReply } from '../../forms/use-reply.ts'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../button.tsx'
import { CardTitle } from '../card.tsx'
import { Dialog, useClose } from '../dialog.tsx'
import { Banner } from '../feedback/banner.tsx'
import { useToast } from '../feedback/toast.tsx'
import { underWay } from '../under-way.ts'
import { useHydrated } from '../use-hydrated.ts'

/** The message of a section that is done, where it has none of its own. */
export const UPDATED = 'Profile updated ✅'

/** What the page around the sections knows. */
export type SectionPage = {
  /** What a section came to that was sent without script. */
  reply: FormReply | undefined
  /** The section that the address calls saved. */
  saved: string | null
  commandIds: Readonly<Record<string, string>>
  constraints?: Constraints
  /** The page without the section: each is a sheet over it, and leads there once it is saved. */
  sheetOver?: string
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
  done = UPDATED,
  disabled = false,
  prefix = '',
  children,
}: SectionFormProps) {
  const hydrated = useHydrated()
  const fetcher = useFetcher<FormReply>()
  const busy = underWay(fetcher) !== undefined
  const reply = useReply(fetcher.data ?? (page.reply?.form === section ? page.reply : undefined))
  const form = formOf({ reply, constraints: page.constraints ?? {}, defaults: stored, prefix })
  const isDone = Boolean(reply?.done) && !reply?.unavailable
  useSheetEnd(fetcher.data && isDone && !busy ? done : null, page.sheetOver)
  const saved = reply ? isDone : page.saved === section
  const action = page.sheetOver ? `?section=${section}#${section}` : `#${section}`
  return (
    <SectionFrame section={section} title={title} page={page}>
      <fetcher.Form method="post" action={action} preventScrollReset noValidate className="stack">
        <Owner />
        {page.sheetOver ? null : <CardTitle id={`${section}-title`}>{title}</CardTitle>}
        {help ? <p className="soft">{help}</p> : null}
        <ErrorSummary form={form} />
        <input type="hidden" name="section" value={section} />
        <input type="hidden" name="commandId" value={page.commandIds[section]} />
        {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
        {children(form)}
        <div className="row">
          <Button tone="primary" busy={busy} disabled={disabled} wide={Boolean(page.sheetOver)}>
            Save<span className="visually-hidden"> {title.toLowerCase()}</span>
          </Button>
          {page.sheetOver ? null : <Done shown={saved && !busy}>{done}</Done>}
        </div>
      </fetcher.Form>
    </SectionFrame>
  )
}

type SectionFrameProps = { section: string; title: string; page: SectionPage; children: ReactNode }

/** A card of the page, or a sheet over it. */
export function SectionFrame({ section, title, page, children }: SectionFrameProps) {
  if (page.sheetOver)
    return (
      <Dialog look="sheet" title={title} closeTo={page.sheetOver}>
        <div className="stack">{children}</div>
      </Dialog>
    )
  return (
    <section className="card stack" id={section} aria-labelledby={`${section}-title`}>
      {children}
    </section>
  )
}

/** With script a sheet goes once it is `done`, and a toast says what was. */
export function useSheetEnd(done: string | null, sheetOver: string | undefined): void {
  const [close, toast] = [useClose(sheetOver ?? '.'), useToast()]
  const isOver = useRef(false)
  useEffect(() => {
    if (done === null || !sheetOver || isOver.current) return
    isOver.current = true
    toast({ text: done, tone: 'leaf' })
    close()
  }, [done, sheetOver, close, toast])
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
