import { type ChangeEvent, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { PICTURES_AND_VIDEOS } from '../media/accepted.ts'
import { UploadPick } from '../media/upload-pick.tsx'
import { useHydrated } from '../use-hydrated.ts'
import type { Slot } from './slots.ts'
import { type SlotActions, UploadSlot } from './upload-slot.tsx'
import { useSlotFocus } from './use-slot-focus.ts'
import './upload-slots.css'

type UploadSlotsProps = {
  /** Names the list: "Photos of your post". */
  label: string
  slots: readonly Slot[]
  max: number
  /** The id of the file field. */
  id: string
  accept?: string
  /** How many and how large they may be. */
  help: string
  onAdd: (files: readonly File[]) => void
  onRetry: (key: string) => void
  onRemove: (key: string) => void
  onMove: (key: string, by: -1 | 1) => void
}

/**
 * Files of a form in their order, and the box in which more are added. Without script the form sends its field `file` by
 * `go=upload`, and each button as `earlier`, `later` or `remove` with the key of its file.
 */
export function UploadSlots({ label, slots, max, id, help, accept = PICTURES_AND_VIDEOS, ...on }: UploadSlotsProps) {
  const hydrated = useHydrated()
  const whole = useRef<HTMLDivElement>(null)
  const focusOn = useSlotFocus(whole, id)
  const [news, setNews] = useState('')
  const room = max - slots.length
  const actions: SlotActions = {
    retry: ({ key }) => {
      on.onRetry(key)
      focusOn(key, 'remove')
    },
    remove: (slot, at) => {
      on.onRemove(slot.key)
      setNews(`${slot.name} is removed.`)
      focusOn((slots[at + 1] ?? slots[at - 1])?.key ?? null, 'remove')
    },
    move: ({ key, name }, at, by) => {
      if (!slots[at + by]) return
      on.onMove(key, by)
      setNews(`${name} is number ${at + by + 1} of ${slots.length}.`)
      focusOn(key, by < 0 ? 'earlier' : 'later')
    },
  }
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])]
    currentTarget.value = ''
    on.onAdd(files.slice(0, room))
    if (files.length >= room) focusOn(null, 'remove')
    setNews(files.length > room ? `${files.length - room} left out: up to ${max} fit here.` : '')
  }
  return (
    <div className="upload-slots" ref={whole}>
      <ol className="slots" aria-label={label} tabIndex={-1}>
        {slots.map((slot, at) => (
          <UploadSlot key={slot.key} slot={slot} at={at} count={slots.length} actions={actions} />
        ))}
      </ol>
      {room > 0 ? (
        <div className={classes('upload-add', hydrated && 'upload-add-live')}>
          <UploadPick htmlFor={id} icon="image-plus">
            {slots.length > 0 ? 'Add more' : 'Add photos or videos'}
          </UploadPick>
          <p className="soft small" id={`${id}-help`}>
            {help}
          </p>
          <input
            id={id}
            type="file"
            name="file"
            accept={accept}
            multiple
            aria-describedby={`${id}-help`}
            {...(hydrated && { onChange: choose })}
          />
          {hydrated ? null : (
            <Button name="go" value="upload" icon="upload">
              Upload
            </Button>
          )}
        </div>
      ) : null}
      <p className="small soft" role="status">
        {news}
      </p>
    </div>
  )
}
