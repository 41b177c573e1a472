import { useLocation, useNavigation } from '@remix-run/react'
import { type Dispatch, type SetStateAction, startTransition, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useToast } from '../../ui/feedback/toast.tsx'
import { useRoot } from '../use-shell.ts'

type Failed = {
  readonly id: number
  readonly form: HTMLFormElement
  /** The button that sent it. */
  readonly by: HTMLElement | null
  /** Why, in words. */
  readonly error: string
}

/** What a form that failed offers, as `offers`: to be sent once more, until `drop`. */
export function useFailedForms() {
  const [failed, setFailed] = useState<readonly Failed[]>([])
  const [{ add, drop }] = useState(() => changesOf(setFailed))
  const { key } = useLocation()
  const whose = useRoot()?.member?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form goes with its page, and with its member.
  useEffect(() => setFailed((all) => all.filter(({ form }) => form.isConnected)), [key, whose])
  const offers = failed.map((one) => <SendAgain key={one.id} failed={one} onUsed={drop} />)
  return { offers, add, drop }
}

function changesOf(change: Dispatch<SetStateAction<readonly Failed[]>>) {
  let count = 0
  const waiting = new WeakMap<HTMLFormElement, () => void>()
  return {
    add(one: Omit<Failed, 'id'>): void {
      count += 1
      const failed = { ...one, id: count }
      // In the transition that draws what the page itself shows of it.
      const show = () => startTransition(() => change((all) => [...all, failed]))
      waiting.set(one.form, onceIdle(show))
    },
    drop(form: HTMLFormElement): void {
      waiting.get(form)?.()
      change((all) => all.filter((one) => one.form !== form))
    },
  }
}

/** Once the router has nothing under way; returns what ends that. */
function onceIdle(act: () => void): () => void {
  const router = window.__remixRouter
  const isIdle = ({ navigation, fetchers }: typeof router.state) =>
    navigation.state === 'idle' && [...fetchers.values()].every(({ state }) => state === 'idle')
  if (isIdle(router.state)) {
    act()
    return () => {}
  }
  const stop = router.subscribe((state) => {
    if (!isIdle(state)) return
    stop()
    act()
  })
  return stop
}

/** Beside the words of the page about the failure; where it has none, or none any more, in a toast that has them. */
function SendAgain({ failed, onUsed }: { failed: Failed; onUsed: (form: HTMLFormElement) => void }) {
  const toast = useToast()
  const [banner, setBanner] = useState<Element | null>()
  // Looks with each change of the router's state: a page that is read again has no reply any more.
  useNavigation()
  useEffect(() => setBanner(bannerOf(failed) ?? null))
  const isNowhere = banner === null
  useEffect(() => {
    if (!isNowhere) return
    // Under a modal sheet nothing can be pressed, and without it there is no form to send again: its own button does.
    const isUnderSheet = failed.form.closest('dialog:modal') !== null
    const action = { label: 'Retry', run: () => send(failed) }
    return toast({ text: failed.error, tone: 'alarm', ...(!isUnderSheet && { action }) })
  }, [failed, isNowhere, toast])
  if (!banner) return null
  const again = () => {
    onUsed(failed.form)
    send(failed)
  }
  return createPortal(
    <button type="button" className="button button-secondary" onClick={again}>
      Retry
    </button>,
    banner,
  )
}

/** Where the page itself shows why a form failed. */
function bannerOf({ form, error }: Failed): Element | undefined {
  const around = form.closest('dialog') ?? document
  return [...around.querySelectorAll('.banner-alarm')].find(({ textContent }) => textContent?.includes(error))
}

function send({ form, by }: Failed): void {
  if (form.isConnected) form.requestSubmit(by?.isConnected ? by : null)
}
