import type { useFetcher } from '@remix-run/react'
import { type RefObject, useEffect, useRef } from 'react'
import { TextInput } from '../../forms/text-input.tsx'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import { underWay } from '../under-way.ts'
import type { LocationReply } from './location-reply.ts'
import './town-form.css'

export type TownFormProps = {
  /** By which a position is sent, too. */
  fetcher: ReturnType<typeof useFetcher<LocationReply>>
  reply: LocationReply | undefined
  error: string | null
  /** What went wrong is nobody's fault. */
  isMild: boolean
  /** A town was refused without script. */
  isRefused: boolean
  onSend: () => void
}

/** A town as a field, what went wrong above it, and below it the towns that go by the typed name; what is wrong with one is read out. */
export function TownForm({ fetcher, reply, error, isMild, isRefused, onSend }: TownFormProps) {
  const sending = underWay(fetcher)
  const wrong = reply?.fields.town
  const whole = useRef<HTMLDivElement>(null)
  useNextStep(whole, { error, reply, toField: wrong !== undefined || isMild })
  return (
    <div className="stack" ref={whole}>
      {error && !sending ? (
        <Banner tone={isMild ? 'plain' : 'alarm'} live>
          <p>{error}</p>
        </Banner>
      ) : null}
      {/* The same words once more are read out again: nothing is in it meanwhile. */}
      <p className="visually-hidden" role="alert">
        {sending ? null : wrong}
      </p>
      <fetcher.Form method="post" className="town-form" noValidate onSubmit={onSend}>
        <Owner />
        <input type="hidden" name="intent" value="place" />
        <TextInput
          label="Your town"
          name="town"
          autoComplete="address-level2"
          defaultValue={reply?.values.town?.[0] ?? ''}
          error={wrong}
          autoFocus={isRefused}
        />
        <Button busy={sending !== undefined && !sending.has('lat')}>Set</Button>
        {reply?.towns ? <Towns towns={reply.towns} name={reply.values.town?.[0] ?? ''} /> : null}
      </fetcher.Form>
    </div>
  )
}

function Towns({ towns, name }: { towns: NonNullable<LocationReply['towns']>; name: string }) {
  return (
    <fieldset className="town-choices" aria-label={`Towns called ${name}`}>
      {towns.map((town) => (
        <button key={town.value} type="submit" name="townId" value={town.value} className="chip">
          {town.name}
        </button>
      ))}
    </fieldset>
  )
}

type NextStep = { readonly error: string | null; readonly reply: LocationReply | undefined; readonly toField: boolean }

/**
 * The field has the focus where a town is the next step: a position that the browser keeps to itself, or a town that was
 * refused. What went wrong is in view above the bar, with the towns to choose from.
 */
function useNextStep(whole: RefObject<HTMLElement>, { error, reply, toField }: NextStep): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reply takes the focus, also with the same words
  useEffect(() => {
    const form = whole.current?.querySelector('form')
    const town = form?.querySelector<HTMLInputElement>('[name=town]')
    if (toField) town?.focus()
    if (!(toField || error)) return
    for (const part of [form, whole.current?.querySelector('.banner'), town?.closest('.field')])
      part?.scrollIntoView({ block: 'nearest' })
  }, [whole, error, reply, toField])
}
