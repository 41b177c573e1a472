import { useFetcher, useLocation, useSearchParams } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorSummary } from '../../forms/error-summary.tsx'
import { type Constraints, type FormReply, type FormState, formOf } from '../../forms/reply.ts'
import { useReply } from '../../forms/use-reply.ts'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../button.tsx'
import { Dialog, useClose } from '../dialog.tsx'
import { Banner } from '../feedback/banner.tsx'
import { useToast } from '../feedback/toast.tsx'
import type { ListRow } from '../lists/list-rows.tsx'
import { underWay } from '../under-way.ts'
import { useHydrated } from '../use-hydrated.ts'

/** Among the rows of the sections, the own profile as others get it. */
export const SEEN: ListRow = {
  id: 'seen',
  to: '/profile/seen/stranger',
  icon: 'eye',
  label: 'See yourself as others do',
  value: 'As a stranger, a match or everyone',
}

/** The message of a section that is done, where it has none of its own. */
export const UPDATED = 'Profile updated ✅'

/** What the page around the sections knows. */
export type SectionPage = {
  /** What a section came to that was sent without script. */
  reply: FormReply | undefined
  commandIds: Readonly<Record<string, string>>
  constraints?: Constraints
  /** The page without the section: each is a sheet over it, and leads there once it is saved. */
  sheetOver: string
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

/** One section of the own profile, as a sheet over its page: it saves alone, and what is wrong stands in it (spec 2 §8). */
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
  return (
    <SheetFrame section={section} title={title} page={page}>
      <fetcher.Form
        method="post"
        action={`?section=${section}#${section}`}
        preventScrollReset
        noValidate
        className="stack"
      >
        <Owner />
        {help ? <p className="soft">{help}</p> : null}
        <ErrorSummary form={form} />
        <input type="hidden" name="section" value={section} />
        <input type="hidden" name="commandId" value={page.commandIds[section]} />
        {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
        {children(form)}
        <div className="dialog-foot">
          <Button tone="primary" busy={busy} disabled={disabled} wide>
            Save<span className="visually-hidden"> {title.toLowerCase()}</span>
          </Button>
        </div>
      </fetcher.Form>
    </SheetFrame>
  )
}

type SheetFrameProps = { section: string; title: string; page: SectionPage; children: ReactNode }

export function SheetFrame({ section, title, page, children }: SheetFrameProps) {
  return (
    <Dialog look="sheet" title={title} closeTo={page.sheetOver} opener={section}>
      <div className="stack">{children}</div>
    </Dialog>
  )
}

/** With script a sheet goes once it is `done`; a toast then has those words. */
export function useSheetEnd(done: string | null, sheetOver: string): void {
  const [close, toast] = [useClose(sheetOver), useToast()]
  const isOver = useRef(false)
  useEffect(() => {
    if (done === null || isOver.current) return
    isOver.current = true
    toast({ text: done, tone: 'leaf' })
    close()
  }, [done, close, toast])
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

/** The section that the address opens, or the one whose form a page without script has just sent. */
export function useOpenSection(sent: string | undefined): string | null {
  const [params] = useSearchParams()
  const isFirst = useLocation().key === 'default'
  return params.get('section') ?? (isFirst ? (sent ?? null) : null)
}
