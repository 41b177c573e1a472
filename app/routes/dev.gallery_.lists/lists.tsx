import { Form, useSearchParams } from '@remix-run/react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { GallerySection } from '../../ui/dev/gallery-section.tsx'
import { type FilterChip, FilterChips } from '../../ui/lists/filter-chips.tsx'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { LiveSearch } from '../../ui/lists/live-search.tsx'
import { PlainRow } from '../../ui/lists/plain-row.tsx'
import { TagInput } from '../../ui/lists/tag-input.tsx'
import { ToggleRow } from '../../ui/lists/toggle-row.tsx'
import { useComingSearch } from '../../ui/lists/use-coming-search.ts'
import { Numbers } from './numbers.tsx'
import { findSamples, samplesFor } from './samples.ts'

const KINDS = ['Buzzes', 'Matches', 'Likes', 'Comments', 'Reactions', 'New posts', 'Shares', 'Wingman']

/** The address with one value of a parameter turned on or off. */
function turned(search: URLSearchParams, name: string, value: string): string {
  const next = new URLSearchParams(search)
  if (search.has(name, value)) next.delete(name, value)
  else next.append(name, value)
  return `?${next}`
}

function Rows() {
  const [search] = useSearchParams()
  const isOn = search.get('sound') === 'on'
  return (
    <Form method="get" preventScrollReset className="stack">
      <ListRows
        title="Rows"
        rows={[
          { id: 'name', icon: 'user-round', label: 'Name', value: 'Ann', to: '#name' },
          { id: 'bio', icon: 'pencil', label: 'Bio', value: null, to: '#bio' },
          { id: 'long', icon: 'map-pin', label: 'A label that is long', value: 'A value '.repeat(12), to: '#long' },
        ]}
      >
        <ToggleRow name="sound" icon="bell" label="Sound" isOn={isOn} />
        <PlainRow id="version" label="Version" value="1.0" />
        <PlainRow id="bea" face={{ name: 'Bea', src: null }} label="Bea" value="Near you" to="#bea" />
        <PlainRow id="delete" icon="trash-2" label="Delete account" tone="alarm" to="#delete" />
      </ListRows>
    </Form>
  )
}

function Filters() {
  const search = useComingSearch()
  const chips: FilterChip[] = KINDS.map((label, at) => ({
    to: turned(search, 'kind', label),
    label,
    isOn: search.has('kind', label),
    ...(at === 1 && { icon: 'heart' as const, count: 3 }),
  }))
  return <FilterChips label="Kinds" chips={chips} clearTo="?" />
}

function Searching() {
  const [search] = useSearchParams()
  const words = search.get('q') ?? ''
  return (
    <Card title="Live search">
      <LiveSearch
        label="Search people"
        action="/dev/gallery/lists"
        asked={words}
        none="Nobody by that name."
        find={findSamples}
      />
      <p className="soft small">
        {words ? `All results for “${words}”: ${samplesFor(words).length}` : 'Try “an”, “zzz” and “lost”.'}
      </p>
    </Card>
  )
}

function Tags() {
  const [search] = useSearchParams()
  return (
    <Card title="Tags">
      <Form method="get" className="stack" preventScrollReset>
        <TagInput
          label="Topics"
          name="topics"
          defaultValue={search.get('topics') ?? 'Climbing, Poetry'}
          max={5}
          suggestions={['Sailing', 'Sauna', 'Sourdough']}
          placeholder="Add a topic"
          help="Up to 5, with commas between them."
        />
        <TagInput
          label="Nothing yet"
          name="none"
          id="none"
          optional
          placeholder="Add a word"
          error="Add at least one."
        />
        <p className="row">
          <Button tone="primary">Save</Button>
          {search.get('topics') === null ? null : <span>Sent: {search.get('topics')}</span>}
        </p>
      </Form>
    </Card>
  )
}

/** The parts of lists, in their states. */
export function ListsGallery() {
  return (
    <GallerySection title="Lists">
      <Filters />
      <Rows />
      <Searching />
      <Tags />
      <Numbers />
    </GallerySection>
  )
}
