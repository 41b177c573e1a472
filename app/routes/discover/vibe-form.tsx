import { Form, useFetcher } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { Owner, useOwner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { useRefusalToast } from '../../ui/feedback/use-refusal-toast.ts'
import { Options } from '../../ui/lists/options.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import type { DiscoverReply } from './reply.ts'
import { OWN_VIBES, vibeLabel } from './vibe-choices.ts'
import './vibe-form.css'

type VibeFormProps = { myVibe: string | undefined; isVibeClosed: boolean; commandId: string }

/**
 * 'My vibe' is a field of one's own profile (spec 1 §4), set apart from the filters beside it: it is saved as soon as it is
 * chosen, whatever else the page does meanwhile. Each choice is a command of its own.
 */
export function VibeForm({ myVibe, isVibeClosed, commandId }: VibeFormProps) {
  const { fetcher, save } = useSaving(isVibeClosed)
  const select = useStored(myVibe, fetcher.data)
  // What was chosen before the script ran; without script a button saves it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page begins.
  useEffect(() => {
    const { value } = select.current ?? {}
    if (myVibe && value && value !== myVibe) save(value)
  }, [])
  return (
    <Form method="post" className="vibe-form" data-drafts="none" preventScrollReset>
      <Owner />
      <input type="hidden" name="intent" value="vibe" />
      <input type="hidden" name="commandId" value={commandId} />
      <span className="select">
        <span className="vibe-words">
          <label htmlFor="my-vibe">My vibe</label>{' '}
          <span id="my-vibe-note">
            on my profile<span className="visually-hidden">only: it filters nobody</span>
          </span>
        </span>
        <select
          ref={select}
          id="my-vibe"
          name="vibe"
          className="input"
          aria-describedby="my-vibe-note"
          defaultValue={myVibe}
          // What a browser gives back was chosen by nobody now.
          autoComplete="off"
          key={myVibe}
          onChange={(event) => save(event.currentTarget.value)}
        >
          <Options choices={OWN_VIBES} />
        </select>
        <Icon name="chevron-down" />
      </span>
      <noscript>{import.meta.env.SSR && <PlainSave />}</noscript>
    </Form>
  )
}

/** Its icon stands for its word, so that the vibe has room for its own. */
const PlainSave = () => (
  <Button icon="check">
    <span className="visually-hidden">Save</span>
  </Button>
)

/** Shows where the choice went, or why it did not; where a banner shows what it did to the filters, that alone. */
function useSaving(isVibeClosed: boolean) {
  const fetcher = useFetcher<DiscoverReply>()
  const toast = useToast()
  const owner = useOwner()
  const chosen = useRef('')
  const shown = useRef<DiscoverReply>()
  useRefusalToast(fetcher.data)
  // The banner comes with what is read after it.
  const saved = fetcher.state === 'idle' && fetcher.data?.done ? fetcher.data : undefined
  useEffect(() => {
    if (!saved || shown.current === saved) return
    shown.current = saved
    if (!isVibeClosed) return toast({ text: `Your profile says ${vibeLabel(chosen.current)}.`, tone: 'leaf' })
  }, [saved, isVibeClosed, toast])
  function save(vibe: string): void {
    chosen.current = vibe
    fetcher.submit({ ...owner, intent: 'vibe', live: 'yes', commandId: crypto.randomUUID(), vibe }, { method: 'post' })
  }
  return { fetcher, save }
}

/** A choice that was refused gives way to what is stored. */
function useStored(stored: string | undefined, reply: DiscoverReply | undefined) {
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (select.current && reply && !reply.done) select.current.value = stored ?? ''
  }, [reply, stored])
  return select
}
