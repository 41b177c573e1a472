import { useFetcher } from '@remix-run/react'
import { useRef } from 'react'
import { Owner } from '../../../shell/owner.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { underWay } from '../../../ui/under-way.ts'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { DiscoverReply } from '../reply.ts'
import type { Undoable } from './deck-needs.ts'
import { useKeys } from './use-keys.ts'
import { UNDO } from './use-undo.ts'

export type UndoProps = { undoable: Undoable | null; onUndo: (undoable: Undoable) => void }

/** Brings the last person back; free, and the only thing that U does. */
export function UndoForm({ undoable, onUndo, wide }: UndoProps & { wide?: boolean }) {
  const fetcher = useFetcher<DiscoverReply>({ key: UNDO })
  const hydrated = useHydrated()
  const busy = underWay(fetcher) !== undefined
  const disabled = !undoable || busy
  const form = useRef<HTMLFormElement>(null)
  const undo = () => form.current?.requestSubmit()
  useKeys({ u: undo, U: undo })
  const label = undoable?.intent === 'withdraw' ? 'Undo the last buzz' : 'Undo the last skip'
  return (
    <fetcher.Form ref={form} method="post" onSubmit={(event) => (disabled ? event.preventDefault() : onUndo(undoable))}>
      <Owner />
      <input type="hidden" name="intent" value={undoable?.intent ?? 'undo'} />
      {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
      <input type="hidden" name="to" value={undoable?.to ?? ''} />
      <input type="hidden" name="commandId" value={undoable?.commandId ?? ''} />
      {wide ? (
        <Button icon="undo-2" busy={busy}>
          {label}
        </Button>
      ) : (
        // One that is disabled by the browser would lose the focus.
        <IconButton
          type="submit"
          icon="undo-2"
          label={label}
          tone="raised"
          disabled={disabled && !hydrated}
          aria-disabled={disabled}
        />
      )}
    </fetcher.Form>
  )
}
