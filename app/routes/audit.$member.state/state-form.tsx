import { Form } from '@remix-run/react'
import type { StreamOf } from '../../../projections/history/queries.ts'
import { Select } from '../../forms/select.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { useAskedForm } from '../../forms/use-asked-form.ts'
import { Button } from '../../ui/button.tsx'

export type StateAsked = { stream: string; revision: string; at: string; fromRevision: string; fromAt: string }
type StateFormProps = { streams: readonly StreamOf[]; asked: StateAsked; unclear: boolean }

const UNCLEAR = 'Give a number of a revision, or a moment such as 2026-11-21 09:30 (UTC).'

/** Which stream at which moment, and beside which other moment; a plain GET form. */
export function StateForm({ streams, asked, unclear }: StateFormProps) {
  const { form, round } = useAskedForm(JSON.stringify(asked))
  const choices = streams.map(({ stream, events }) => ({ value: stream, label: `${stream} (${events})` }))
  const text = (name: keyof StateAsked, label: string) => (
    <TextInput label={label} name={name} defaultValue={asked[name]} optional autoComplete="off" />
  )
  return (
    <Form method="get" className="stack" ref={form}>
      <div className="staff-form">
        <Select key={round} label="Stream" name="stream" choices={choices} defaultValue={asked.stream} />
      </div>
      <fieldset className="staff-form">
        <legend>At; nothing means as it stands</legend>
        {text('revision', 'Revision')}
        {text('at', 'or moment (UTC)')}
      </fieldset>
      <fieldset className="staff-form">
        <legend>What changed since</legend>
        {text('fromRevision', 'Since revision')}
        {text('fromAt', 'or since moment (UTC)')}
      </fieldset>
      {unclear ? (
        <p className="alarm-words" role="alert">
          {UNCLEAR}
        </p>
      ) : null}
      <p>
        <Button icon="clock">Show</Button>
      </p>
    </Form>
  )
}
