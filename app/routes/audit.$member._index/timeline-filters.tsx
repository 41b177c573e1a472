import { Form } from '@remix-run/react'
import { TextInput } from '../../forms/text-input.tsx'
import { useAskedForm } from '../../forms/use-asked-form.ts'
import { KIND_LABELS, KINDS } from '../../ui/audit/asked.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import './timeline-filters.css'

export type TimelineAsked = { kinds: readonly string[]; from: string; until: string }

/** Kinds and days; a plain GET form, so that what is seen has an address. */
export function TimelineFilters({
  asked,
  counts,
  here,
}: {
  asked: TimelineAsked
  counts: Record<string, number>
  here: string
}) {
  const { form } = useAskedForm(JSON.stringify(asked))
  const offered = KINDS.filter((kind) => (counts[kind] ?? 0) > 0)
  return (
    <Form method="get" className="staff-form" ref={form}>
      <fieldset className="kinds">
        <legend>Kinds</legend>
        {offered.map((kind) => (
          <label key={kind}>
            <input type="checkbox" name="kind" value={kind} defaultChecked={asked.kinds.includes(kind)} />
            {KIND_LABELS[kind]} <span className="soft tabular">{counts[kind]}</span>
          </label>
        ))}
      </fieldset>
      <TextInput label="From" name="from" type="date" defaultValue={asked.from} optional />
      <TextInput label="Until" name="until" type="date" defaultValue={asked.until} optional />
      <div className="row">
        <Button icon="sliders-horizontal">Show</Button>
        <LinkButton to={here} tone="quiet">
          Show all
        </LinkButton>
      </div>
    </Form>
  )
}
