import { useState } from 'react'
import { IconButton } from '../button.tsx'
import { Progress } from '../feedback/progress.tsx'
import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import { sourcesOf } from '../picture/sources.ts'
import { useHydrated } from '../use-hydrated.ts'
import type { Slot } from './slots.ts'

export type SlotActions = {
  retry: (slot: Slot) => void
  remove: (slot: Slot, at: number) => void
  move: (slot: Slot, at: number, by: -1 | 1) => void
}
type SlotProps = { slot: Slot; at: number; count: number; actions: SlotActions }

/** One file: how far it has come, or what can be done with it. */
export function UploadSlot(props: SlotProps) {
  const { slot, at } = props
  return (
    <li className={`slot slot-${slot.state}`} data-slot={slot.key} aria-label={slot.name}>
      <Preview slot={slot} />
      <span className="slot-number tabular small" aria-hidden="true">
        {at + 1}
      </span>
      {slot.state === 'sent' ? <Order {...props} /> : <OnItsWay {...props} />}
    </li>
  )
}

/** What the browser itself shows of a file; an icon where it cannot. */
function Preview({ slot: { preview, isVideo } }: { slot: Slot }) {
  const [unknown, setUnknown] = useState(false)
  if (unknown)
    return (
      <span className="slot-preview slot-unknown">
        <Icon name="image" size="l" />
      </span>
    )
  const box = { className: 'slot-preview', width: 240, height: 300, onError: () => setUnknown(true) }
  return isVideo ? (
    <video {...box} src={preview} muted playsInline preload="metadata" />
  ) : (
    <img {...box} {...sourcesOf(preview, '9rem', 720)} alt="" />
  )
}

function OnItsWay({ slot, at, actions }: SlotProps) {
  const isFailed = slot.state === 'failed'
  return (
    <div className="slot-foot">
      {isFailed ? (
        <p className="slot-error small" role="alert">
          {slot.error}
        </p>
      ) : (
        <Progress
          label={slot.state === 'waiting' ? 'Waiting' : 'Uploading'}
          value={slot.state === 'sending' ? Math.round(slot.share * 100) : 0}
        />
      )}
      {isFailed ? (
        <IconButton icon="refresh-cw" label={`Retry ${slot.name}`} onClick={() => actions.retry(slot)} />
      ) : null}
      <IconButton
        icon="x"
        label={`${isFailed ? 'Dismiss' : 'Cancel'} ${slot.name}`}
        data-act="remove"
        onClick={() => actions.remove(slot, at)}
      />
    </div>
  )
}

function Order({ slot, at, count, actions }: SlotProps) {
  return (
    <div className="slot-foot">
      <Act
        act="earlier"
        icon="arrow-left"
        label={`Move ${slot.name} earlier`}
        slot={slot}
        isOff={at === 0}
        onAct={() => actions.move(slot, at, -1)}
      />
      <Act
        act="later"
        icon="arrow-right"
        label={`Move ${slot.name} later`}
        slot={slot}
        isOff={at === count - 1}
        onAct={() => actions.move(slot, at, 1)}
      />
      <span className="spring" />
      <Act
        act="remove"
        icon="trash-2"
        label={`Remove ${slot.name}`}
        slot={slot}
        isOff={false}
        onAct={() => actions.remove(slot, at)}
      />
    </div>
  )
}

type ActProps = {
  act: 'earlier' | 'later' | 'remove'
  icon: IconName
  label: string
  slot: Slot
  /** It keeps the focus, and does nothing. */
  isOff: boolean
  onAct: () => void
}

/** A button of the form around it until script runs. */
function Act({ act, icon, label, slot, isOff, onAct }: ActProps) {
  const hydrated = useHydrated()
  return (
    <IconButton
      icon={icon}
      label={label}
      type={hydrated ? 'button' : 'submit'}
      name={act}
      value={slot.key}
      data-act={act}
      aria-disabled={isOff || undefined}
      onClick={onAct}
    />
  )
}
