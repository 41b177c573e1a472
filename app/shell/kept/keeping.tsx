import { useBlocker, useLocation } from '@remix-run/react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Drafts, type Restored } from '../../forms/kept/drafts.ts'
import { onSettled } from '../../forms/kept/on-settled.ts'
import { Submissions } from '../../forms/kept/submissions.ts'
import { loadAhead } from '../../live/kept/load-ahead.ts'
import { dropQueues } from '../../live/kept/queue.ts'
import { useKeptQueue } from '../../live/kept/use-kept-queue.ts'
import { useOfflinePage } from '../../live/kept/use-offline-page.ts'
import { useTitleCount } from '../../live/kept/use-title-count.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { useRoot } from '../use-shell.ts'
import { hideFailedAvatars } from './failed-avatars.ts'
import { useFailedForms } from './failed-forms.tsx'
import { keepLoadingSheets } from './keep-loading-sheets.ts'
import { useOthersPage } from './others-page.tsx'

export { LastQueue } from '../../live/kept/last-queue.tsx'
export { QueuedMessages } from '../../live/queued-messages.tsx'

const LEAVE = 'What you typed on this page is not saved. Leave it?'

/**
 * What a page does once it works, in a file that is loaded then: it keeps what is typed and not sent (drafts of forms and
 * queued messages of this tab), a page to open without network, the scripts that come next, icons and stylesheets, and
 * counts in the title. It shows a line where a draft was written back, offers to send again what failed, and reads a page anew that
 * another member opened.
 */
export function Keeping() {
  const root = useRoot()
  const member = root?.member?.id ?? null
  useKeptQueue()
  useOfflinePage()
  useTitleCount(root?.member?.unread)
  useEffect(() => loadAhead(window.__remixRouter), [])
  useEffect(keepLoadingSheets, [])
  useEffect(hideFailedAvatars, [])
  const othersPage = useOthersPage()
  const { restored, clear, offers } = useDrafts(member, root !== null)
  return (
    <>
      {/* All icons are one file, and a browser counts none of its preloads for it: a failure without network has one. */}
      <Icon name="circle-alert" className="visually-hidden" />
      {offers}
      {othersPage}
      {restored.length > 0 ? <DraftStrip restored={restored} onDiscard={clear} /> : null}
    </>
  )
}

function DraftStrip({ restored, onDiscard }: { restored: readonly Restored[]; onDiscard: () => void }) {
  const discard = () => {
    for (const one of restored) one.discard()
    // What was pressed goes.
    restored.at(-1)?.focus()
    onDiscard()
  }
  const strip = (
    <p className="offline-strip" role="status">
      What you typed here before is back, and not sent yet.{' '}
      <button type="button" className="strip-action" onClick={discard}>
        Throw it away
      </button>
    </p>
  )
  // What is around a sheet cannot be reached.
  const sheet = restored.at(-1)?.form.closest('dialog')
  return sheet ? createPortal(strip, sheet) : strip
}

/** `known`: the frame of the page knows who looks. */
function useDrafts(member: string | null, known: boolean) {
  const [restored, setRestored] = useState<readonly Restored[]>([])
  const drafts = useRef<Drafts>()
  const { key } = useLocation()
  useEffect(() => {
    drafts.current = new Drafts((one) => setRestored((all) => [...all, one]))
    return () => drafts.current?.stop()
  }, [])
  // Ahead of whatever takes the focus in a page that begins, since what has the focus is looked at.
  useLayoutEffect(() => {
    if (known) drafts.current?.belong(member)
  }, [member, known])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page is met anew.
  useEffect(() => {
    setRestored((all) => all.filter(({ form }) => form.isConnected))
    if (known) drafts.current?.meet(member)
  }, [key, member, known])
  const offers = useSettledForms(drafts, (form) => setRestored((all) => all.filter((one) => one.form !== form)))
  useLeaving(() => drafts.current?.losesText() ?? false)
  return { restored, clear: () => setRestored([]), offers }
}

type Ref<T> = { readonly current: T | undefined }

/** What is done is kept no more; what failed is offered once more, by the same command. */
function useSettledForms(drafts: Ref<Drafts>, onDone: (form: HTMLFormElement) => void): readonly ReactNode[] {
  const { offers, add, drop } = useFailedForms()
  const latest = useRef(onDone)
  latest.current = onDone
  useEffect(() => {
    const submissions = new Submissions()
    const stop = onSettled((settled, isEarly) => {
      if (settled.how === 'done' && settled.path === '/signout') dropQueues(null)
      const { form, by = null } = submissions.settled(settled) ?? {}
      drafts.current?.settled(settled, form)
      // One that failed early and left the page cannot be sent again.
      if (!form || (isEarly && !form.isConnected)) return
      drop(form)
      if (settled.how === 'done') latest.current(form)
      if (settled.how === 'failed' && settled.error) add({ form, by, error: settled.error })
    })
    return () => {
      stop()
      submissions.stop()
    }
  }, [drafts, add, drop])
  return offers
}

/** A sheet over its page goes with another search. */
const isSheetOpen = () => document.querySelector('dialog[open] form') !== null

/** Asks before a text is lost that no draft keeps. */
function useLeaving(losesText: () => boolean): void {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      (from.pathname !== to.pathname || (from.search !== to.search && isSheetOpen())) && losesText(),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    if (window.confirm(LEAVE)) blocker.proceed()
    else blocker.reset()
  }, [blocker])
  const latest = useRef(losesText)
  latest.current = losesText
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => latest.current() && event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
